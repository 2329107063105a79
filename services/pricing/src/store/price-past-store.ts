import { fromBinary } from "@bufbuild/protobuf";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import { bulkUpsert } from "@storefront/database";
import type { Queryable, Transaction } from "@storefront/database";
import type { WrittenState } from "@storefront/ingest";
import { pastAfter } from "@storefront/price-lows";
import type { PricePast } from "@storefront/price-lows";
import { priceState } from "../domain/price-state.ts";

/** A past as it is stored, or a row for each state that it is made of. */
interface PastRow {
  position: number;
  past: PricePast | null;
  observed_at: Date | null;
  state: Uint8Array | null;
}

// Where no past is stored, or one that lacks the last state, every state that there was. By its case the
// history of a price whose past is stored is not even looked up.
const readPastsSql = {
  name: "pricing.readPasts",
  text: `select wanted.position::int4 as position, past.past, state.observed_at, state.record as state
    from unnest($1::text[], $2::text[]) with ordinality as wanted(offer_id, region, position)
    left join pricing.price_past as past
      on past.offer_id = wanted.offer_id and past.region = wanted.region
      and past.observed_at = (
        select max(observed_at) from pricing.price_history as history
        where history.offer_id = wanted.offer_id and history.region = wanted.region)
    left join lateral (
      select observed_at, record from pricing.price_history as history
      where history.offer_id = case when past.past is null then wanted.offer_id end
        and history.region = wanted.region
    ) as state on true
    order by wanted.position, state.observed_at`,
};

/**
 * The pasts of prices, in the order of their keys (offer and region), whatever they are stored in;
 * undefined for a price that never was.
 */
export async function readPasts(
  queryable: Queryable,
  keys: readonly (readonly string[])[],
): Promise<(PricePast | undefined)[]> {
  if (keys.length === 0) return [];
  const rows = await queryable.read<PastRow>(readPastsSql, [
    keys.map(([offerId]) => offerId),
    keys.map(([, region]) => region),
  ]);
  const byPosition = Map.groupBy(rows, ({ position }) => position);
  return keys.map((_key, index) => pastOf(byPosition.get(index + 1) ?? []));
}

function pastOf(rows: readonly PastRow[]): PricePast | undefined {
  let past: PricePast | undefined;
  for (const { past: stored, observed_at, state } of rows) {
    if (stored !== null) return stored;
    if (observed_at === null) continue;
    past = pastAfter(past, priceState(observed_at, state && fromBinary(OfferPriceSchema, state)));
  }
  return past;
}

/**
 * Brings the pasts of prices up to date with writes that are not in the history yet, under the writers'
 * lock. A price that was first heard of and written once has no row: its history has one either.
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
    return { offer_id: last?.key[0], region: last?.key[1], observed_at: last?.observedAt, past };
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
        { name: "past", type: "jsonb" },
      ],
    },
    rows,
  );
}
