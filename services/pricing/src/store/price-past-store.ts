import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import { PricePastSchema } from "@storefront/contracts/pricing/v1/price_past";
import { bulkUpsert } from "@storefront/database";
import type { Queryable, Transaction } from "@storefront/database";
import type { WrittenState } from "@storefront/ingest";
import { pastAfter, pastMessage, pastOfMessage } from "@storefront/domain/price-lows";
import type { PricePast } from "@storefront/domain/price-lows";
import { priceState } from "../domain/price-state.ts";

/** A past as stored, a serialized PricePast message, or a row for each of its states. */
export interface PastRow {
  past: Uint8Array | null;
  state_observed_at: Date | null;
  state: Uint8Array | null;
}

/** Columns of a PastRow, out of the joins below. */
export const pastColumnsSql =
  "past.message as past, state.observed_at as state_observed_at, state.record as state";

/**
 * Joins the pasts of the prices that `keys` names by `offer_id` and `region`, in the snapshot of the statement. Where
 * no past is stored, or it lacks the last state, joins every state; the case expression avoids a lookup of the history
 * of a price whose past is stored.
 *
 * @param isLatestSql a condition that a past has the last state, checked before the history is read
 */
export function joinPastsSql(keys: string, isLatestSql = "false"): string {
  return `left join pricing.price_past as past
      on past.offer_id = ${keys}.offer_id and past.region = ${keys}.region
      and (${isLatestSql} or past.observed_at = (
        select max(observed_at) from pricing.price_history as history
        where history.offer_id = ${keys}.offer_id and history.region = ${keys}.region))
    left join lateral (
      select observed_at, record from pricing.price_history as history
      where history.offer_id = case when past.message is null then ${keys}.offer_id end
        and history.region = ${keys}.region
    ) as state on true`;
}

const readPastsSql = {
  name: "pricing.readPasts",
  text: `select wanted.position::int4 as position, ${pastColumnsSql}
    from unnest($1::text[], $2::text[]) with ordinality as wanted(offer_id, region, position)
    ${joinPastsSql("wanted")}
    order by wanted.position, state.observed_at`,
};

/** The past of a price from its rows, in the order of time; undefined for a price that never existed. */
export function pastOfRows(rows: readonly PastRow[]): PricePast | undefined {
  let past: PricePast | undefined;
  for (const { past: stored, state_observed_at: observedAt, state } of rows) {
    if (stored !== null) return pastOfMessage(fromBinary(PricePastSchema, stored));
    if (observedAt === null) continue;
    past = pastAfter(past, priceState(observedAt, state && fromBinary(OfferPriceSchema, state)));
  }
  return past;
}

/** A past as a serialized PricePast message. */
export function encodePast(past: PricePast): Uint8Array {
  return toBinary(PricePastSchema, pastMessage(past));
}

/**
 * Brings the pasts of prices up to date with writes that are not in the history yet, under the writers'
 * lock. A new price that was written once has no row: its history has only one.
 */
export async function storePasts(
  tx: Transaction,
  writes: readonly WrittenState<OfferPrice>[],
): Promise<void> {
  const byPrice = Map.groupBy(writes, ({ key }) => key.join("\u001F"));
  const changed = [...byPrice.values()].filter(
    (ofPrice) => ofPrice.length > 1 || ofPrice[0]?.isFirst === false,
  );
  if (changed.length === 0) return;
  const pasts = await readPasts(
    tx,
    changed.map(([first]) => first?.key ?? []),
  );
  const rows = changed.map((ofPrice, index) => {
    let past = pasts[index];
    for (const { observedAt, after } of ofPrice) {
      past = pastAfter(past, priceState(observedAt, after?.record));
    }
    const last = ofPrice.at(-1);
    return {
      offer_id: last?.key[0],
      region: last?.key[1],
      observed_at: last?.observedAt,
      message: past && encodePast(past),
    };
  });
  await bulkUpsert(
    tx,
    {
      table: "pricing.price_past",
      keyColumns: ["offer_id", "region"],
      columns: [
        { name: "offer_id", type: "text" },
        { name: "region", type: "text" },
        { name: "observed_at", type: "timestamptz" },
        { name: "message", type: "bytea" },
      ],
    },
    rows,
  );
}

/** The pasts of prices, in the order of their keys (offer and region); undefined for a price that never existed. */
async function readPasts(
  queryable: Queryable,
  keys: readonly (readonly string[])[],
): Promise<(PricePast | undefined)[]> {
  const rows = await queryable.read<PastRow & { position: number }>(readPastsSql, [
    keys.map(([offerId]) => offerId),
    keys.map(([, region]) => region),
  ]);
  const byPosition = Map.groupBy(rows, ({ position }) => position);
  return keys.map((_key, index) => pastOfRows(byPosition.get(index + 1) ?? []));
}
