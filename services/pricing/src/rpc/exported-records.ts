import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { CurrentRecords, LogEntry } from "@storefront/change-feed";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import {
  ExportPricingResponseSchema,
  PricingObservationSchema,
} from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { Database, Queryable } from "@storefront/database";
import { asOfferId, asRegion } from "@storefront/domain/identifiers";
import type { OfferId, Region } from "@storefront/domain/identifiers";
import {
  compileKind,
  currentRecords,
  endOfLog,
  seenAtSql,
  storedDeletions,
  storedRecords,
  toBatches,
} from "@storefront/ingest";
import type { StoredObservation } from "@storefront/ingest";
import type { PriceState } from "@storefront/domain/price-lows";
import { priceState, snapshotStates } from "../domain/price-state.ts";
import { giveawayKind, priceKind } from "../kinds/pricing-kinds.ts";
import { regionKind } from "../kinds/region-kind.ts";

const messages = {
  observationSchema: PricingObservationSchema,
  responseSchema: ExportPricingResponseSchema,
};

export function exportPricing(
  database: Database,
): ServiceImpl<typeof PricingIngestService>["exportPricing"] {
  return () => toBatches(messages, everyObservation(database));
}

/**
 * Regions, prices with their past, giveaways, and the times of deletions.
 *
 * @param upTo for a reader that continues with the log after this sequence: earlier states of a price are stale for it
 *   after a later one, so nothing is read after the past of a price that was written since
 */
export async function* everyObservation(
  database: Database,
  upTo = endOfLog,
): AsyncGenerator<StoredObservation> {
  yield* storedRecords(database, regionKind);
  for await (const state of everyState(database)) yield toObservation(state);
  for await (const sighting of sightingsUpTo(database, upTo)) yield toObservation(sighting);
  yield* storedDeletions(database, "pricing", priceKind, upTo);
  yield* storedRecords(database, giveawayKind);
  yield* storedDeletions(database, "pricing", giveawayKind);
  // Last: a region with prices is not deleted.
  yield* storedDeletions(database, "pricing", regionKind);
}

/**
 * The content of a snapshot of the service: the regions, the giveaways, and of every price that ever existed the states
 * that determine its lows, and the last one. Its reader has the same lows as a follower of the whole log.
 */
export function snapshotRecords(database: Queryable): CurrentRecords {
  const regions = currentRecords(database, [regionKind]);
  const giveaways = currentRecords(database, [giveawayKind]);
  return async function* read(wanted, after) {
    yield* regions(wanted, after);
    if (wanted?.includes(priceKind.name) !== false) yield* pricesOf(everyState(database, after));
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

/** A state that a price has had. */
interface StoredState {
  readonly offerId: OfferId;
  readonly region: Region;
  readonly observedAt: Date;
  /** A serialized OfferPrice; null where the price was deleted. */
  readonly record: Uint8Array | null;
}

/** Rows read at a time by the export. */
const pageRows = 1_000;

// A price that was observed again unchanged has a later time of observation than the last state of its history.
const sightingsPageSql = `select offer_id, region, seen_at as observed_at, record
  from (
    select price.*, ${seenAtSql(compileKind(priceKind), "price")} as seen_at
    from pricing.price as price
  ) as price
  where (offer_id, region) > ($1, $2) and not exists (
    select from pricing.price_history as history
    where history.offer_id = price.offer_id and history.region = price.region
      and history.observed_at = price.seen_at)
    and not exists (
      select from pricing.change_log as later
      where later.seq > $3 and later.kind = 'price' and later.key = array[offer_id, region])
  order by offer_id, region limit ${pageRows}`;

const statesPageSql = `select offer_id, region, observed_at, record from pricing.price_history
  where (offer_id, region, observed_at) > ($1, $2, $3::timestamptz)
  order by offer_id, region, observed_at limit ${pageRows}`;

interface HistoryRow {
  offer_id: string;
  region: string;
  observed_at: Date;
  record: Uint8Array | null;
}

/**
 * Every state of every price, deletions included: price by price, each in the order of observation.
 *
 * @param after yields those of prices after this key; default all
 */
function everyState(
  queryable: Queryable,
  [offerId = "", region = ""]: readonly string[] = [],
): AsyncIterable<StoredState> {
  return pagesOf(queryable, statesPageSql, [offerId, region, "infinity"], (state) => [
    state.offerId,
    state.region,
    state.observedAt,
  ]);
}

/** The current prices that were observed again unchanged, without those with later entries in the log. */
function sightingsUpTo(queryable: Queryable, upTo: bigint): AsyncIterable<StoredState> {
  return pagesOf(queryable, sightingsPageSql, ["", "", upTo], (state) => [
    state.offerId,
    state.region,
    upTo,
  ]);
}

/** Reads page by page; one page is in memory at a time. */
async function* pagesOf(
  queryable: Queryable,
  sql: string,
  start: readonly unknown[],
  positionOf: (state: StoredState) => readonly unknown[],
): AsyncGenerator<StoredState> {
  let after = start;
  for (;;) {
    const rows = await queryable.read<HistoryRow>(sql, after);
    const states = rows.map(({ offer_id, region, observed_at, record }) => ({
      offerId: asOfferId(offer_id),
      region: asRegion(region),
      observedAt: observed_at,
      record,
    }));
    yield* states;
    const last = states.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = positionOf(last);
  }
}

function toObservation({ offerId, region, observedAt, record }: StoredState): StoredObservation {
  const isDeletion = record === null;
  const bytes = record ?? toBinary(OfferPriceSchema, create(OfferPriceSchema, { offerId, region }));
  return { kind: "price", key: [offerId, region], observedAt, bytes, isDeletion };
}
