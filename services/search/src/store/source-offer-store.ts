import { fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { Queryable, Transaction } from "@storefront/database";
import { createHash } from "node:crypto";
import type { OfferText } from "../embedder/embedder.ts";

/** A stored offer with data from other records. */
export interface OfferRow {
  id: string;
  record: Buffer;
  technologies: string[];
  giveaways: number;
  first_start: number | null;
  latest_end: number | null;
  /** The mean of its ratings, 0 to 10; null without any. */
  rating: number | null;
  /** Its rank: its mean combined with the mean of all offers, which weighs as much as five ratings. */
  rating_rank: number | null;
}

export async function readOffers(
  queryable: Queryable,
  ids: readonly string[],
): Promise<OfferRow[]> {
  return await queryable.read<OfferRow>(
    {
      name: "search.readSourceOffers",
      text: `
        select offer.id, offer.record, offer.technologies,
          given.giveaways, given.first_start, given.latest_end,
          rated.sum / rated.count as rating,
          (rated.sum + 5 * rated.prior) / (rated.count + 5) as rating_rank
        from search.source_offer as offer
        left join search.offer_rating as rated on rated.offer_id = offer.id
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

/** Release dates of stored offers in milliseconds, by id; undefined when unknown. */
export async function readReleases(
  queryable: Queryable,
  ids: readonly string[],
): Promise<Map<string, number | undefined>> {
  const records = await readOfferRecords(queryable, ids);
  return new Map(
    records.map(({ id, releaseDate }) => [id, releaseDate && timestampMs(releaseDate)]),
  );
}

/** The records of stored offers, unordered. */
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

/** Ids of offers, and of ids that have or had prices or an index number, after a given one, ascending. */
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

/** Stores digests of texts and the versions of their changes; returns the ids of changed offers. */
export async function storeTextDigests(
  tx: Transaction,
  texts: readonly OfferText[],
): Promise<string[]> {
  if (texts.length === 0) return [];
  const { rows } = await tx.write<{ id: string }>(
    `update search.source_offer as offer
      set text_digest = given.digest, text_version = nextval('search.embedding_version')
      from unnest($1::text[], $2::bytea[]) as given(id, digest)
      where offer.id = given.id and offer.text_digest is distinct from given.digest
      returning offer.id`,
    [texts.map(({ offerId }) => offerId), texts.map(digestOf)],
  );
  return rows.map(({ id }) => id);
}

/** Returns a text version: every later change has a higher one. */
export async function markTexts(tx: Transaction): Promise<bigint> {
  const row = await tx.readOne<{ version: bigint }>(
    "select nextval('search.embedding_version') as version",
  );
  if (row === undefined) throw new Error("a sequence gives a number");
  return row.version;
}

/** Ids of offers whose text has not changed since a version, after a given one, ascending. */
export async function listUnchangedSince(
  queryable: Queryable,
  moment: bigint,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await queryable.read<{ id: string }>(
    `select id from search.source_offer
      where id > $1 and coalesce(text_version, 0) < $2 order by id limit $3`,
    [after, moment, limit],
  );
  return rows.map(({ id }) => id);
}

function digestOf(text: OfferText): Buffer {
  return createHash("sha256").update(JSON.stringify(text)).digest();
}

/** The numbers of offers, assigned where missing. */
export async function offerNumbers(
  tx: Transaction,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const ids = [...new Set(offerIds)];
  if (ids.length === 0) return new Map();
  // Existing ids are excluded, since a conflicting insert would use up a number.
  const { rows } = await tx.write<{ offer_id: string; number: number }>(
    `with fresh as (
      insert into search.offer_number (offer_id)
      select id from unnest($1::text[]) as wanted(id)
      where not exists (select from search.offer_number where offer_id = wanted.id)
      on conflict (offer_id) do nothing
      returning offer_id, number
    )
    select offer_id, number from fresh
    union all
    select offer_id, number from search.offer_number where offer_id = any($1::text[])`,
    [ids],
  );
  return new Map(rows.map(({ offer_id, number }) => [offer_id, number]));
}
