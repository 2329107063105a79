import { neverLowerMs } from "@storefront/domain/price-lows";
import { asRegion } from "@storefront/domain/identifiers";
import { Seeded } from "@storefront/testkit";
import { labelOf } from "../../src/domain/label.ts";
import type { OfferDocument, OfferPrices } from "../../src/engine/index-documents.ts";

/** Offers and their prices, as in an index. */
export interface Documents {
  readonly offers: readonly OfferDocument[];
  readonly prices: readonly OfferPrices[];
}

/** The present time of generated documents and searches. */
export const nowMs = Date.UTC(2024, 5, 1);

const dayMs = 86_400_000;
// The last one is not an initial region.
const regions = ["US", "EURO", "BR2", "JP", "KUWAIT"].map(asRegion);
const types = ["BASE_GAME", "DLC", "ADD_ON", "EDITION", "DEMO", "", undefined];
const studios = ["Ice Fern", "Ártico", "雪の庭", "AT&T [Games] (x)", "O'Neil", "[]", undefined, ""];
const tagNames = ["Action", "RPG", "Indie", "Co-op", "Puzzle", "Action", undefined, ""];
const technologies = ["Unity", "Unreal Engine", "EasyAntiCheat", "Godot", "`x` || :("];
const words = ["moon", "river", "Ember", "Éclair", "knight", "Tower", "dawn", "iron", "Saga", "2"];

/** Documents made from a seed, with ties, gaps and hostile values in every member. */
export function generateDocuments(count: number, seed: number): Documents {
  const random = new Seeded(seed);
  const offers = Array.from({ length: count }, (_, index) => generateOffer(random, index));
  const prices = offers
    .filter(() => random.chance(0.85))
    .map(({ offerId }) => ({ offerId, prices: generatePrices(random) }));
  return { offers, prices };
}

function generateOffer(random: Seeded, index: number): OfferDocument {
  const hasGiveaway = random.chance(0.2);
  const sellerName = random.pick(["Epic", "Moon & Co", undefined]);
  return {
    offerId: `offer-${((index * 7_919) % 100_003).toString(36)}-${index}`,
    title: random.some(words, 4).join(" ") || undefined,
    description: random.chance(0.5) ? random.some(words, 8).join(", ") : undefined,
    offerType: random.pick(types),
    developer: random.pick(studios),
    publisher: random.pick(studios),
    sellerId: sellerName === undefined ? undefined : `o-${sellerName.toLowerCase()}`,
    sellerName,
    sellerLabel: sellerName && labelOf(sellerName, random.pick([`o-${sellerName}`, undefined])),
    ...tagsOf(random.some([...tagNames.keys()], 5)),
    technologies: random.some(technologies, 3),
    categories: random.some(["games", "games/edition", "addons", "software"], 2),
    customAttributes: random.some(["autoGrant", "isBlockchainUsed", "a,b", 'say "x"'], 2),
    refundType: random.pick(["SELF_REFUNDABLE", "NON_REFUNDABLE", undefined]),
    isCodeRedemptionOnly: random.chance(0.1),
    isBlockchainUsed: random.chance(0.1),
    ...releaseOf(date(random)),
    lastModifiedDateMs: date(random),
    effectiveDateMs: date(random),
    creationDateMs: date(random),
    viewableDateMs: date(random),
    pcReleaseDateMs: date(random),
    hasGiveaway,
    firstGiveawayStartMs: hasGiveaway ? date(random) : undefined,
    latestGiveawayEndMs: hasGiveaway ? date(random) : undefined,
    ...ratingOf(random.pick([undefined, random.below(20) / 2])),
  };
}

function tagsOf(ids: readonly number[]): Pick<OfferDocument, "tagIds" | "tagNames" | "tagLabels"> {
  return {
    tagIds: ids.map(String),
    tagNames: ids.flatMap((id) => tagNames[id] ?? []),
    tagLabels: ids.flatMap((id) => labelOf(tagNames[id] ?? "", String(id))),
  };
}

function ratingOf(mean: number | undefined) {
  const rank = mean && (mean + 35) / 6;
  return { ratingMillionths: millionthsOf(mean), ratingRankMillionths: millionthsOf(rank) };
}

function millionthsOf(rating: number | undefined): number | undefined {
  return rating && Math.round(rating * 1_000_000);
}

function releaseOf(releaseDateMs: number | undefined) {
  return { releaseDateMs, outSinceMs: releaseDateMs ?? 0 };
}

/** Includes the edges of the windows of lows. */
function lowestSince(random: Seeded): number | undefined {
  const edges = [30, 90, 365].flatMap((days) => [-1, 0, 1].map((ms) => nowMs - days * dayMs + ms));
  return random.pick([date(random), neverLowerMs, random.pick(edges)]);
}

function generatePrices(random: Seeded): OfferPrices["prices"] {
  return random.some(regions, 6).map((region) => {
    const originalPrice = random.below(8) * 500;
    const discountPrice = random.chance(0.5)
      ? originalPrice
      : Math.floor((originalPrice * random.below(5)) / 4);
    const isLowest = discountPrice < originalPrice && random.chance(0.5);
    const times = { updatedAtMs: date(random), lowestSinceMs: lowestSince(random) };
    return { region, originalPrice, discountPrice, isLowest, ...times };
  });
}

/** One of a few days around now, including now, so that there are ties. */
function date(random: Seeded): number | undefined {
  return random.chance(0.15) ? undefined : nowMs + (random.below(121) - 80) * 10 * dayMs;
}
