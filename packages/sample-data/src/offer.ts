import { slugify } from "./game.ts";
import { dayMs, iso } from "./observe.ts";
import { createTags } from "./tag.ts";
import { identifier, numberIn, Random } from "./random.ts";
import type { Source } from "./random.ts";
import type { Role, Sandbox, Slot } from "./sandbox.ts";
import { createImages, describe, textAttribute, trueAttribute } from "./shared-members.ts";
import type { AttributeRecord } from "./shared-members.ts";

/** The date of an offer that is never shown. */
const neverMs = Date.UTC(2099, 0, 1);

/** An offer in the import format. */
export type OfferRecord = ReturnType<typeof createOffer>;

/** The current offer of a slot. Its past determines `lastModifiedDate`. */
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

/** Properties that depend only on an offer's role. */
interface OfferShape {
  readonly offerType: string;
  readonly categories: readonly string[];
  /** Number of pictures. */
  readonly images: number;
}

/** The shape of each role; small ones have few pictures to keep their records small. */
const offerShapes: Readonly<Record<Role, OfferShape>> = {
  baseGame: {
    offerType: "BASE_GAME",
    categories: ["games", "games/edition/base", "applications"],
    images: 5,
  },
  prePurchase: {
    offerType: "BASE_GAME",
    categories: ["games", "games/edition/base", "games/prepurchase", "applications"],
    images: 3,
  },
  dlc: { offerType: "DLC", categories: ["addons", "addons/durable"], images: 3 },
  addOn: { offerType: "ADD_ON", categories: ["addons", "addons/durable"], images: 2 },
  edition: { offerType: "EDITION", categories: ["games", "games/edition"], images: 3 },
  bundle: { offerType: "BUNDLE", categories: ["bundles", "bundles/games"], images: 3 },
  extra: { offerType: "DIGITAL_EXTRA", categories: ["digitalextras"], images: 1 },
  demo: { offerType: "DEMO", categories: ["games", "games/demo"], images: 2 },
  consumable: { offerType: "CONSUMABLE", categories: ["addons", "addons/consumable"], images: 1 },
  currency: { offerType: "VIRTUAL_CURRENCY", categories: ["addons", "points"], images: 1 },
  wrapper: { offerType: "OTHERS", categories: ["applications"], images: 0 },
  collection: { offerType: "OTHERS", categories: ["collections"], images: 1 },
};

/**
 * Addresses of an offer's page: a game's `productSlug` with or without `/home`, what belongs to a
 * game under its slug, a pre-purchase with the same slug as its game, some by mapping only.
 */
function createSlugs(random: Random, { game }: Sandbox, slot: Slot) {
  const shortId = slot.offerId.slice(0, 6);
  const urlSlug = random.chance(0.6) ? `${game.slug}-${shortId}` : slot.offerId;
  if (slot.role === "baseGame" || slot.role === "prePurchase") {
    const productSlug = random.chance(0.5) ? `${game.slug}/home` : game.slug;
    return {
      productSlug: random.chance(0.9) ? productSlug : null,
      urlSlug,
      offerMappings: [{ pageSlug: `${game.slug}-${shortId}`, pageType: "productHome" }],
    };
  }
  if (slot.role === "consumable" || slot.role === "currency" || slot.role === "wrapper")
    return { productSlug: null, urlSlug: random.chance(0.3) ? urlSlug : null, offerMappings: [] };
  const ownSlug = slugify(slot.title.replace(game.title, "")) || shortId;
  const pageSlug = `${game.slug}--${ownSlug}`;
  return {
    productSlug: random.chance(0.7) ? `${game.slug}/${ownSlug}` : null,
    urlSlug: pageSlug,
    offerMappings: random.chance(0.7) ? [{ pageSlug, pageType: "offer" }] : [],
  };
}

/** An item as an offer refers to it. */
interface ItemReference {
  readonly id: string;
  readonly namespace: string;
}

/** The items that the buyer of an offer gets; earlier ones in the catalogue. */
function offerItems(sandbox: Sandbox, slot: Slot): ItemReference[] {
  const { source, game, slots } = sandbox;
  const own = (id: string | null) => (id === null ? [] : [{ id, namespace: game.namespace }]);
  const base = slots.slice(0, 1).flatMap(({ itemId }) => own(itemId));
  const expansions = slots
    .filter(({ role, n }) => role === "dlc" && n < slot.n)
    .flatMap(({ itemId }) => own(itemId));
  const given: Partial<Record<Role, ItemReference[]>> = {
    edition: [...base, ...expansions.slice(0, 1)],
    bundle: [...base, ...expansions, ...previousGame(source, game.index)],
    prePurchase: base,
    collection: base,
    wrapper: slot.n % 2 === 0 ? base : [],
  };
  return given[slot.role] ?? own(slot.itemId);
}

/** The base game of the sandbox before. */
function previousGame({ seed }: Source, index: number): ItemReference[] {
  if (index === 0) return [];
  const id = identifier(seed, "item", numberIn(index - 1, 0));
  return [{ id, namespace: identifier(seed, "sandbox", index - 1) }];
}

/** The most members a collection has. */
const maxMembers = 24;

/** Members of a collection: its own game first, then base games of earlier sandboxes. */
function collectionMembers({ source, game }: Sandbox, slot: Slot): string[] {
  const random = new Random(source.seed, "slots", slot.number + 0x4000_0000);
  const count = Math.min(random.integer(3, maxMembers), game.index + 1);
  const furthest = Math.floor(game.index / count);
  return Array.from({ length: count }, (_, n) =>
    identifier(source.seed, "offer", numberIn(game.index - n * Math.max(1, furthest), 0)),
  );
}
