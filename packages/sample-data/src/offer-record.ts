import type { AttributeRecord } from "./attribute.ts";
import { textAttribute, trueAttribute } from "./attribute.ts";
import { describe } from "./description.ts";
import { createImages } from "./image.ts";
import { collectionMembers, offerItems } from "./offer-items.ts";
import { offerShapes } from "./offer-shape.ts";
import { createSlugs } from "./offer-slugs.ts";
import { createTags } from "./offer-tags.ts";
import type { Random } from "./random.ts";
import type { Sandbox } from "./plan-sandbox.ts";
import type { Slot } from "./slots.ts";
import { dayMs, iso } from "./time.ts";

/** What an offer that is never shown has as its date. */
const neverMs = Date.UTC(2099, 0, 1);

/** An offer, as the import format has it. */
export type OfferRecord = ReturnType<typeof createOffer>;

/** The offer of a slot as it is now, but for when it was changed last: its past tells that. */
export function createOffer(sandbox: Sandbox, slot: Slot, random: Random) {
  const { source, game } = sandbox;
  const { makers } = game;
  const shape = offerShapes[slot.role];
  const { short, long } = describe(random, game, slot.role, slot.title);
  const laterMs = slot.role === "dlc" || slot.role === "addOn" ? random.integer(0, 300) * dayMs : 0;
  const listed = slot.role !== "wrapper" && slot.role !== "collection";
  const releasedMs = listed ? laterRelease(sandbox, laterMs) : neverMs;
  const restricted = random.chance(0.06);
  return {
    id: slot.offerId,
    namespace: game.namespace,
    title: slot.title,
    description: short,
    longDescription: long,
    offerType: shape.offerType,
    status: random.chance(0.02) ? "INACTIVE" : "ACTIVE",
    effectiveDate: iso(slot.role === "prePurchase" ? game.createdMs : releasedMs),
    creationDate: iso(game.createdMs),
    // Told by its past.
    lastModifiedDate: iso(game.createdMs),
    releaseDate: listed ? iso(releasedMs) : null,
    pcReleaseDate: listed && random.chance(0.9) ? iso(releasedMs) : null,
    viewableDate: random.chance(0.7) ? iso(game.createdMs) : null,
    isCodeRedemptionOnly: random.chance(0.9) ? slot.title.endsWith("Retail Key") : null,
    prePurchase: slot.role === "prePurchase" ? true : random.chance(0.3) ? false : null,
    keyImages: createImages(source.seed, slot.number, shape.images),
    seller: { id: makers.sellerId, name: makers.publisher },
    developerDisplayName: random.chance(0.04) ? null : makers.developer,
    publisherDisplayName: random.chance(0.02) ? null : makers.publisher,
    ...createSlugs(random, sandbox, slot),
    url: null,
    tags: createTags(source.seed, game, slot),
    items: offerItems(sandbox, slot),
    customAttributes: createAttributes(random, sandbox, slot),
    categories: shape.categories,
    countriesBlacklist: restricted ? random.pickMany(restrictedCountries, 2) : [],
    countriesWhitelist: !restricted && random.chance(0.02) ? ["US", "CA", "GB", "DE", "JP"] : [],
    refundType: slot.sold ? "REFUNDABLE" : random.chance(0.5) ? "NON_REFUNDABLE" : null,
    collectionOfferIds: slot.role === "collection" ? collectionMembers(sandbox, slot) : [],
  };
}

const restrictedCountries = ["CN", "RU", "KR", "DE", "AU", "VN", "SA", "AE", "ID"];

/** The release of something that follows a game; released games have released followers. */
function laterRelease({ source, game }: Sandbox, laterMs: number): number {
  if (game.upcoming) return game.releasedMs + laterMs;
  return Math.min(game.releasedMs + laterMs, source.nowMs - 1);
}

function createAttributes(random: Random, { game }: Sandbox, slot: Slot): AttributeRecord[] {
  const attributes = [
    textAttribute("developerName", game.makers.developer),
    textAttribute("publisherName", game.makers.publisher),
  ];
  if (slot.role === "prePurchase") attributes.push(trueAttribute("isPrepurchase"));
  if (game.index % 40 === 9) attributes.push(trueAttribute("isBlockchainUsed"));
  if (random.chance(0.2)) attributes.push(trueAttribute("hasAntiCheat"));
  if (random.chance(0.1)) attributes.push(textAttribute("supportPage", `help/${game.slug}`));
  return attributes;
}
