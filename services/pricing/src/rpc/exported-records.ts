import { fromBinary } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { CurrentRecords, LogEntry } from "@storefront/change-feed";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import {
  ExportPricingResponseSchema,
  PricingObservationSchema,
} from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { Database, Queryable } from "@storefront/database";
import {
  currentRecords,
  endOfLog,
  storedDeletions,
  storedRecords,
  toBatches,
} from "@storefront/ingest";
import type { StoredObservation } from "@storefront/ingest";
import type { PriceState } from "@storefront/domain/price-lows";
import { priceState, snapshotStates } from "../domain/price-state.ts";
import { giveawayKind, priceKind } from "../kinds/pricing-kinds.ts";
import type { PriceHistoryStore, PriceState as StoredState } from "../store/price-history-store.ts";

const messages = {
  observationSchema: PricingObservationSchema,
  responseSchema: ExportPricingResponseSchema,
};

export function exportPricing(deps: {
  database: Database;
  history: PriceHistoryStore;
}): ServiceImpl<typeof PricingIngestService>["exportPricing"] {
  return () => toBatches(messages, everyObservation(deps.database, deps.history));
}

/**
 * Prices with their past, giveaways, and the times of deletions.
 *
 * @param upTo of a reader that goes on with the log after this sequence: it would take earlier states of a price for
 *   stale once it had a later one, so of a price that was written meanwhile nothing is read after its past
 */
export async function* everyObservation(
  database: Database,
  history: PriceHistoryStore,
  upTo = endOfLog,
): AsyncGenerator<StoredObservation> {
  yield* history.everyState(upTo);
  yield* storedDeletions(database, "pricing", priceKind, upTo);
  yield* storedRecords(database, giveawayKind);
  yield* storedDeletions(database, "pricing", giveawayKind);
}

/**
 * What a snapshot of the service has: giveaways as they are, and of every price that ever was
 * those states of which its lows are made, and the last one, so that its reader knows the same lows as
 * a follower of the log from its beginning.
 */
export function snapshotRecords(deps: {
  database: Queryable;
  history: PriceHistoryStore;
}): CurrentRecords {
  const giveaways = currentRecords(deps.database, [giveawayKind]);
  return async function* read(wanted, after) {
    if (wanted?.includes(priceKind.name) !== false) yield* pricesOf(deps.history.states(after));
    yield* giveaways(wanted, after);
  };
}

async function* pricesOf(history: AsyncIterable<StoredState>): AsyncGenerator<LogEntry> {
  let states: SeenState[] = [];
  for await (const stored of history) {
    const last = states.at(-1)?.stored;
    if (last !== undefined && (last.offerId !== stored.offerId || last.region !== stored.region)) {
      yield* entriesOf(states);
      states = [];
    }
    states.push(seenState(stored));
  }
  yield* entriesOf(states);
}

interface SeenState extends PriceState {
  readonly stored: StoredState;
}

function seenState(stored: StoredState): SeenState {
  const record = stored.record && fromBinary(OfferPriceSchema, stored.record);
  return { ...priceState(stored.observedAt, record), stored };
}

function entriesOf(states: readonly SeenState[]): LogEntry[] {
  return snapshotStates(states).map(({ stored }, index) =>
    index === 0 ? { ...toEntry(stored), isForgotten: true } : toEntry(stored),
  );
}

function toEntry({ offerId, region, observedAt, record }: StoredState): LogEntry {
  return {
    kind: priceKind.name,
    key: [offerId, region],
    namespace: "",
    observedAt,
    changes: [],
    ...(record !== null && { record: { schema: priceKind.schema, bytes: record } }),
  };
}
