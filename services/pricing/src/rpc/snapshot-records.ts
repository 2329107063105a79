import { fromBinary } from "@bufbuild/protobuf";
import type { CurrentRecords, LogEntry } from "@storefront/change-feed";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { Queryable } from "@storefront/database";
import { currentRecords } from "@storefront/ingest";
import { giveawayKind } from "../kinds/giveaway-kind.ts";
import { priceKind } from "../kinds/price-kind.ts";
import type { PriceHistoryStore, PriceState } from "../store/price-history-store.ts";

/** What a snapshot reads. */
export interface SnapshotDependencies {
  readonly database: Queryable;
  readonly history: PriceHistoryStore;
}

/**
 * What a snapshot of the service tells: giveaways as they are, and of every price that ever was the
 * lowest state and the last one, so that who reads it knows the same lowest price as who has followed
 * the log from its beginning.
 */
export function snapshotRecords({ database, history }: SnapshotDependencies): CurrentRecords {
  const giveaways = currentRecords(database, [giveawayKind]);
  return async function* read(wanted) {
    if (wanted?.includes(priceKind.name) !== false) yield* pricesOf(history);
    yield* giveaways(wanted);
  };
}

async function* pricesOf(history: PriceHistoryStore): AsyncGenerator<LogEntry> {
  let told: ToldStates | undefined;
  for await (const state of history.states()) {
    if (told?.last.offerId === state.offerId && told.last.region === state.region) {
      told = withState(told, state);
    } else {
      if (told !== undefined) yield* entriesOf(told);
      told = { lowest: state, lowestAmount: amountOf(state), last: state };
    }
  }
  if (told !== undefined) yield* entriesOf(told);
}

/** What a snapshot tells of a price. */
interface ToldStates {
  readonly lowest: PriceState;
  readonly lowestAmount: number;
  readonly last: PriceState;
}

function withState(told: ToldStates, last: PriceState): ToldStates {
  const amount = amountOf(last);
  const isLower = amount < told.lowestAmount;
  return isLower ? { lowest: last, lowestAmount: amount, last } : { ...told, last };
}

function entriesOf({ lowest, last }: ToldStates): LogEntry[] {
  const first = { ...toEntry(lowest), isForgotten: true };
  return lowest === last ? [first] : [first, toEntry(last)];
}

function toEntry({ offerId, region, observedAt, record }: PriceState): LogEntry {
  return {
    kind: priceKind.name,
    key: [offerId, region],
    namespace: "",
    observedAt,
    changes: [],
    ...(record !== null && { record: { schema: priceKind.schema, bytes: record } }),
  };
}

/** In minor units; more than any where there is no price. */
function amountOf({ record }: PriceState): number {
  if (record === null) return Infinity;
  return Number(fromBinary(OfferPriceSchema, record).price?.discountPrice ?? Infinity);
}
