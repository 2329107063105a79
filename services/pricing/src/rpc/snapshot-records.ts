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
  let states: SnapshotStates | undefined;
  for await (const state of history.states()) {
    if (states?.last.offerId === state.offerId && states.last.region === state.region) {
      states = withState(states, state);
    } else {
      if (states !== undefined) yield* entriesOf(states);
      states = { lowest: state, lowestAmount: amountOf(state), last: state };
    }
  }
  if (states !== undefined) yield* entriesOf(states);
}

/** What a snapshot tells of a price. */
interface SnapshotStates {
  readonly lowest: PriceState;
  readonly lowestAmount: number;
  readonly last: PriceState;
}

function withState(states: SnapshotStates, last: PriceState): SnapshotStates {
  const amount = amountOf(last);
  const isLower = amount < states.lowestAmount;
  return isLower ? { lowest: last, lowestAmount: amount, last } : { ...states, last };
}

function entriesOf({ lowest, last }: SnapshotStates): LogEntry[] {
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
