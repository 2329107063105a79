import type { Queryable } from "@storefront/database";

/** A write of a price in the log. */
export interface LoggedPrice {
  readonly offerId: string;
  readonly region: string;
  readonly observedAt: Date;
  readonly sequence: bigint;
}

/** What was before a write of a price. */
export interface PriceBefore {
  /** A serialized OfferPrice; undefined when there was none. */
  readonly record: Uint8Array | undefined;
  /** Whether the price was forgotten after the write, so that it is to be told no more. */
  readonly isForgotten: boolean;
}

// A price is only written by what was seen later than its last state, so the state before a write is the
// one that was seen before. The history has it as long as the price is not forgotten.
const readPricesBeforeSql = {
  name: "pricing.readPricesBefore",
  text: `select before.record, forgotten.offer_id is not null as is_forgotten
    from unnest($1::text[], $2::text[], $3::timestamptz[], $4::int8[])
      with ordinality as written(offer_id, region, observed_at, seq, place)
    left join lateral (
      select history.record from pricing.price_history as history
      where history.offer_id = written.offer_id and history.region = written.region
        and history.observed_at < written.observed_at
      order by history.observed_at desc limit 1
    ) as before on true
    left join pricing.forgotten_price as forgotten
      on forgotten.offer_id = written.offer_id and forgotten.region = written.region
      and written.seq <= forgotten.sequence
    order by written.place`,
};

/** What was before each of these writes, in their order. */
export async function readPricesBefore(
  queryable: Queryable,
  writes: readonly LoggedPrice[],
): Promise<PriceBefore[]> {
  if (writes.length === 0) return [];
  const rows = await queryable.read<{ record: Uint8Array | null; is_forgotten: boolean }>(
    readPricesBeforeSql,
    [
      writes.map(({ offerId }) => offerId),
      writes.map(({ region }) => region),
      writes.map(({ observedAt }) => observedAt),
      writes.map(({ sequence }) => sequence),
    ],
  );
  return rows.map(({ record, is_forgotten }) => ({
    record: record ?? undefined,
    isForgotten: is_forgotten,
  }));
}
