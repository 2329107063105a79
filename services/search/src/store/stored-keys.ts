import type { KeyRange } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";

/** A table of records that a feed has told of. */
interface HeldTable {
  /** What is read, and may use the first member of the identity after which it is read as `$2`. */
  readonly from: string;
  /** Columns of the identity, in its order. */
  readonly key: readonly string[];
}

/** By offer without a sort: the planner does not flatten a subquery with an offset. */
const pricesByOffer = `
  (select offer_id, number from search.offer_number where offer_id >= $2 order by offer_id) as offer
  cross join lateral (
    select region from search.price where price.number = offer.number order by region offset 0
  ) as priced`;

/** What can be gone, by its kind; the names of what entries are about stay when it is gone. */
const tables = new Map<string, HeldTable>([
  ["offer", { from: "search.source_offer", key: ["id"] }],
  ["item", { from: "search.source_item", key: ["id"] }],
  ["build", { from: "search.source_build", key: ["id"] }],
  // Also prices that are not there any more: their lowest is known.
  ["price", { from: pricesByOffer, key: ["offer_id", "region"] }],
  ["giveaway", { from: "search.source_giveaway", key: ["id"] }],
  ["review", { from: "search.source_review", key: ["id"] }],
  ["entry", { from: "search.source_entry", key: ["id"] }],
]);

/** The first so many records that are held of a range, by their keys. */
export async function storedKeys(
  queryable: Queryable,
  { kind, after, through }: KeyRange,
  limit: number,
): Promise<string[][]> {
  const table = tables.get(kind);
  if (table === undefined) return [];
  const columns = table.key.join(", ");
  const placeAt = (first: number) => table.key.map((_, index) => `$${first + index}`).join(", ");
  const size = table.key.length;
  const upTo = through === undefined ? "" : `and (${columns}) <= (${placeAt(2 + size)})`;
  const rows = await queryable.read<{ key: string[] }>(
    `select array[${columns}] as key from ${table.from}
      where (${columns}) > (${placeAt(2)}) ${upTo} order by ${columns} limit $1`,
    // Every member has at least one character: "" is before all of them.
    [limit, ...table.key.map((_, index) => after[index] ?? ""), ...(through ?? [])],
  );
  return rows.map(({ key }) => key);
}
