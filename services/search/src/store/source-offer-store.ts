import { fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { Queryable } from "@storefront/database";

/** A stored offer with what other records say of it. */
export interface OfferRow {
  id: string;
  record: Buffer;
  technologies: string[];
  giveaways: number;
  first_start: number | null;
  latest_end: number | null;
}

/** Stored offers, by id. */
export async function readOffers(
  queryable: Queryable,
  ids: readonly string[],
): Promise<OfferRow[]> {
  return await queryable.read<OfferRow>(
    {
      name: "search.readSourceOffers",
      text: `
        select offer.id, offer.record, offer.technologies,
          given.giveaways, given.first_start, given.latest_end
        from search.source_offer as offer
        cross join lateral (
          select count(*)::int4 as giveaways, min(start_ms)::float8 as first_start,
            max(end_ms)::float8 as latest_end
          from search.source_giveaway as giveaway where giveaway.offer_id = offer.id
        ) as given
        where offer.id = any($1)
        order by offer.id`,
    },
    [ids],
  );
}

/** When stored offers are released, by id; in milliseconds, undefined where that is not known. */
export async function readReleases(
  queryable: Queryable,
  ids: readonly string[],
): Promise<Map<string, number | undefined>> {
  const records = await readOfferRecords(queryable, ids);
  return new Map(
    records.map(({ id, releaseDate }) => [id, releaseDate && timestampMs(releaseDate)]),
  );
}

/** The records of stored offers, in no order. */
export async function readOfferRecords(
  queryable: Queryable,
  ids: readonly string[],
): Promise<Offer[]> {
  const rows = await queryable.read<Pick<OfferRow, "record">>(
    {
      name: "search.readSourceOfferRecords",
      text: "select record from search.source_offer where id = any($1)",
    },
    [ids],
  );
  return rows.map(({ record }) => fromBinary(OfferSchema, record));
}

/** Ids of offers, and of what has or had prices or a place in an index, after a given one, ascending. */
export async function listOfferIds(
  queryable: Queryable,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await queryable.read<{ id: string }>(
    `(select id from search.source_offer where id > $1 order by id limit $2)
      union
      (select offer_id from search.offer_number where offer_id > $1 order by offer_id limit $2)
      order by id limit $2`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

export async function countOffers(queryable: Queryable): Promise<number> {
  const row = await queryable.readOne<{ count: number }>(
    "select count(*)::int4 as count from search.source_offer",
  );
  return row?.count ?? 0;
}
