import type { KeyRange } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";

/** A table of records from a feed. */
interface StoredTable {
  /** What is read; may use the first identity member, after which reading starts, as `$2`. */
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

/** Kinds that can be deleted; contexts of entries stay. */
const tables = new Map<string, StoredTable>([
  ["offer", { from: "search.source_offer", key: ["id"] }],
  ["item", { from: "search.source_item", key: ["id"] }],
  ["build", { from: "search.source_build", key: ["id"] }],
  // Includes removed prices: their lowest is known.
  ["price", { from: pricesByOffer, key: ["offer_id", "region"] }],
  ["giveaway", { from: "search.source_giveaway", key: ["id"] }],
  ["review", { from: "search.source_review", key: ["id"] }],
  ["entry", { from: "search.source_entry", key: ["id"] }],
]);

/** The first stored keys of a range. */
export async function storedKeys(
  queryable: Queryable,
  { kind, after, through }: KeyRange,
  limit: number,
): Promise<string[][]> {
  const table = tables.get(kind);
  if (table === undefined) return [];
  const columns = table.key.join(", ");
  const parametersFrom = (first: number) =>
    table.key.map((_, index) => `$${first + index}`).join(", ");
  const size = table.key.length;
  const upTo = through === undefined ? "" : `and (${columns}) <= (${parametersFrom(2 + size)})`;
  const rows = await queryable.read<{ key: string[] }>(
    `select array[${columns}] as key from ${table.from}
      where (${columns}) > (${parametersFrom(2)}) ${upTo} order by ${columns} limit $1`,
    // Every member has at least one character, so "" precedes all.
    [limit, ...table.key.map((_, index) => after[index] ?? ""), ...(through ?? [])],
  );
  return rows.map(({ key }) => key);
}
