import type { PriceState } from "@storefront/domain/price-lows";
import { modelLows } from "@storefront/domain/price-lows/model";
import { isOut, isGivenAway } from "./lowest-since.ts";
import { timeOf } from "./order.ts";
import type { OfferRecord, PriceRecord } from "./records.ts";
import type { SearchBody } from "./search-body.ts";

/** An offer with everything that a search in one region uses. */
export interface SearchRow {
  offer: OfferRecord;
  technologies: readonly string[];
  /** Starts and ends of its giveaways in milliseconds; undefined where unknown. */
  giveaways: readonly { start: number | undefined; end: number | undefined }[];
  /** The mean of its ratings; undefined without any. */
  rating: number | undefined;
  /** The price in the region. */
  price: PriceRecord | undefined;
  /** The lowest price ever in the region. */
  lowest: number | undefined;
  /** All states of the price in the region. */
  priceStates: readonly PriceState[];
}

/** Whether a row passes every filter of a body. */
export function passes(body: SearchBody, row: SearchRow, now: number): boolean {
  const { offer, technologies, giveaways } = row;
  const attributes = offer.customAttributes ?? [];
  const types = typeof body.offerType === "string" ? [body.offerType] : body.offerType;
  const wantedTechnologies = body.technologies?.map((name) => name.trim());
  return (
    hasAny(types, () => [offer.offerType]) &&
    hasAll(body.tags, () => (offer.tags ?? []).map(({ id }) => id)) &&
    hasAll(wantedTechnologies, () => technologies) &&
    hasAny(body.categories, () => offer.categories ?? []) &&
    hasAny(body.customAttributes, () => attributes.map(({ key }) => key)) &&
    is(body.seller, offer.seller?.id) &&
    is(body.developerDisplayName, offer.developerDisplayName) &&
    is(body.publisherDisplayName, offer.publisherDisplayName) &&
    is(body.refundType, offer.refundType) &&
    is(body.isCodeRedemptionOnly, offer.isCodeRedemptionOnly ?? false) &&
    is(body.onSale, isDiscounted(row)) &&
    isWithin(body.price, row.price?.price.discountPrice) &&
    (body.isLowestPrice !== true || isLowest(row)) &&
    (body.lowestPriceOf === undefined || isLowestOf(body.lowestPriceOf, row, now)) &&
    (body.minRating === undefined || (row.rating ?? -Infinity) >= body.minRating) &&
    (body.excludeBlockchain !== true || !isBlockchainUsed(attributes)) &&
    (body.pastGiveaways !== true || giveaways.some(({ start }) => (start ?? Infinity) <= now))
  );
}

/** An absent or empty list matches everything. */
function hasAny(wanted: readonly string[] | undefined, values: () => readonly unknown[]): boolean {
  if (wanted === undefined || wanted.length === 0) return true;
  const present = values();
  return wanted.some((value) => present.includes(value));
}

function hasAll(wanted: readonly string[] | undefined, values: () => readonly unknown[]): boolean {
  if (wanted === undefined || wanted.length === 0) return true;
  const present = values();
  return wanted.every((value) => present.includes(value));
}

/** The last of two attributes with one key counts. */
function isBlockchainUsed(attributes: NonNullable<OfferRecord["customAttributes"]>): boolean {
  return attributes.findLast(({ key }) => key === "isBlockchainUsed")?.value === "true";
}

function is(wanted: unknown, present: unknown): boolean {
  return wanted === undefined || wanted === present;
}

function isWithin(bounds: SearchBody["price"], amount: number | undefined): boolean {
  if (bounds === undefined) return true;
  const { min = 0, max = Infinity } = bounds;
  return amount !== undefined && amount >= min && amount <= max;
}

function isDiscounted({ price }: SearchRow): boolean {
  return price !== undefined && price.price.discountPrice < price.price.originalPrice;
}

function isLowest(row: SearchRow): boolean {
  const amount = row.price?.price.discountPrice;
  return isDiscounted(row) && amount !== undefined && amount <= (row.lowest ?? amount);
}

function isLowestOf(
  window: NonNullable<SearchBody["lowestPriceOf"]>,
  row: SearchRow,
  atMs: number,
): boolean {
  const { price, priceStates } = row;
  if (price === undefined || isGivenAway(price.price) || !isOut(row.offer, atMs)) return false;
  const low = modelLows(priceStates, { atMs, releasedAtMs: timeOf(row.offer.releaseDate) })[window];
  return low?.discountPrice === price.price.discountPrice;
}
