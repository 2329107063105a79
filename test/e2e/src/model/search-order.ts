import { isOut, lowestSince } from "./lowest-since.ts";
import { timeOf } from "./order.ts";
import type { SearchBody, SortField } from "./search-body.ts";
import type { SearchRow } from "./search-row.ts";

/** Whether a sort order includes a row. */
export function isConsidered(body: SearchBody, row: SearchRow, now: number): boolean {
  const released = timeOf(row.offer.releaseDate);
  switch (body.sortBy) {
    case "releaseDate":
      return released !== undefined && released <= now;
    case "upcoming":
      return released !== undefined && released > now;
    case "giveawayDate":
      return row.giveaways.length > 0;
    case "lowestFor":
      return isOut(row.offer, now);
    default:
      return true;
  }
}

/** Sorts rows, given in the order of their ids, by the order of a body; rows without a value come last. */
export function sortRows(body: SearchBody, rows: readonly SearchRow[]): SearchRow[] {
  const { sortBy = "lastModifiedDate" } = body;
  const sign = isAscending(sortBy, body.sortDir) ? 1 : -1;
  const keyed = rows.map((row) => ({ row, key: keys[sortBy](row) }));
  keyed.sort((a, b) => {
    if (a.key !== undefined && b.key !== undefined && a.key !== b.key) {
      return sign * (a.key < b.key ? -1 : 1);
    }
    // Ties stay in the order of ids.
    return Number(a.key === undefined) - Number(b.key === undefined);
  });
  return keyed.map(({ row }) => row);
}

function isAscending(sortBy: SortField, direction: SearchBody["sortDir"]): boolean {
  if (sortBy === "priceAsc") return true;
  if (sortBy === "priceDesc") return false;
  // The nearest release and the price that has been the lowest for longest have the earliest times.
  const isReversed = sortBy === "upcoming" || sortBy === "lowestFor";
  return isReversed ? direction !== "asc" : direction === "asc";
}

const discountPrice = ({ price }: SearchRow) => price?.price.discountPrice;

const keys: Readonly<Record<SortField, (row: SearchRow) => number | undefined>> = {
  releaseDate: ({ offer }) => timeOf(offer.releaseDate),
  upcoming: ({ offer }) => timeOf(offer.releaseDate),
  lastModifiedDate: ({ offer }) => timeOf(offer.lastModifiedDate),
  effectiveDate: ({ offer }) => timeOf(offer.effectiveDate),
  creationDate: ({ offer }) => timeOf(offer.creationDate),
  viewableDate: ({ offer }) => timeOf(offer.viewableDate),
  pcReleaseDate: ({ offer }) => timeOf(offer.pcReleaseDate),
  price: discountPrice,
  priceAsc: discountPrice,
  priceDesc: discountPrice,
  discount: ({ price }) => price && price.price.originalPrice - price.price.discountPrice,
  discountPercent({ price }) {
    if (price === undefined) return undefined;
    const { originalPrice, discountPrice: paid } = price.price;
    return originalPrice === 0 ? 0 : (originalPrice - paid) / originalPrice;
  },
  priceUpdatedAt: ({ price }) => timeOf(price?.updatedAt),
  lowestFor: ({ offer, priceStates }) => lowestSince(priceStates, timeOf(offer.releaseDate)),
  giveawayDate: ({ giveaways }) =>
    giveaways.reduce<number | undefined>(
      (latest, { end }) => (end === undefined || end < (latest ?? -Infinity) ? latest : end),
      undefined,
    ),
};
