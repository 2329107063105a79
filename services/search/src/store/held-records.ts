import type { RecordKey } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";

/** Records in a page, at most. */
const pageSize = 500;

/** Regions that an offer may have prices in. */
const regionCount = 52;

/** A table of records that a feed has told of. */
interface HeldTable {
  /** Rows after a place, ascending: the place, and the kind and keys of the records in each. */
  readonly page: string;
  readonly rows: number;
}

const tableOf = (kind: string, name: string): HeldTable => ({
  page: `
    select id as place, '${kind}' as kind, jsonb_build_array(jsonb_build_array(id)) as keys
    from search.${name} where id > $1 order by id limit $2`,
  rows: pageSize,
});

// Also prices that are not there any more: their lowest is known.
const prices: HeldTable = {
  page: `
    select offer_id as place, 'price' as kind, (
      select coalesce(jsonb_agg(jsonb_build_array(offer_id, region)), '[]')
      from jsonb_object_keys(prices) as region
    ) as keys
    from search.source_price where offer_id > $1 order by offer_id limit $2`,
  rows: Math.floor(pageSize / regionCount),
};

/** What can be gone from each feed; the names of what entries are about stay when it is gone. */
const tables = {
  catalog: [
    tableOf("offer", "source_offer"),
    tableOf("item", "source_item"),
    tableOf("build", "source_build"),
  ],
  pricing: [prices, tableOf("giveaway", "source_giveaway")],
  changelog: [tableOf("entry", "source_entry")],
} as const;

/** A feed that search follows. */
export type FollowedFeed = keyof typeof tables;

/** The records that are held of a feed, in pages. */
export async function* heldRecords(
  queryable: Queryable,
  feed: FollowedFeed,
): AsyncGenerator<RecordKey[]> {
  for (const { page, rows: limit } of tables[feed]) {
    for (let after = ""; ;) {
      const rows = await queryable.read<{ place: string; kind: string; keys: string[][] }>(page, [
        after,
        limit,
      ]);
      yield rows.flatMap(({ kind, keys }) => keys.map((key) => ({ kind, key })));
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) break;
      after = last.place;
    }
  }
}
