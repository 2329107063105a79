import type { Database } from "@storefront/database";
import { asOfferId, asRegion } from "@storefront/domain/identifiers";
import type { OfferId, Region } from "@storefront/domain/identifiers";
import { compileKind, seenAtSql } from "@storefront/ingest";
import type { StoredObservation } from "@storefront/ingest";
import { toBinary, create } from "@bufbuild/protobuf";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { priceKind } from "../kinds/pricing-kinds.ts";

/** Rows read at a time by the export. */
const pageRows = 1_000;

const listPriceHistorySql = {
  name: "pricing.listPriceHistory",
  text: `select record from pricing.price_history
    where offer_id = $1 and region = $2 and record is not null
    order by updated_at desc nulls last, observed_at desc limit $3 offset $4`,
};

const countPriceHistorySql = {
  name: "pricing.countPriceHistory",
  text: `select count(*)::int4 as total from pricing.price_history
    where offer_id = $1 and region = $2 and record is not null`,
};

// Seen again unchanged, a price has a later time of observation than the last state of its history.
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

/** A page of the prices that an offer has had in a region. */
export interface PriceHistoryPage {
  /** Serialized OfferPrice messages, newest `updated_at` first. */
  readonly records: readonly Uint8Array[];
  /** Number of prices on all pages. */
  readonly total: number;
}

/** A state that a price has had. */
export interface PriceState {
  readonly offerId: OfferId;
  readonly region: Region;
  readonly observedAt: Date;
  /** A serialized OfferPrice; null where the price was deleted. */
  readonly record: Uint8Array | null;
}

/** Reads the states that prices have had. */
export class PriceHistoryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async historyOf(
    offerId: OfferId,
    region: Region,
    limit: number,
    offset: number,
  ): Promise<PriceHistoryPage> {
    const [rows, count] = await Promise.all([
      this.#database.read<{ record: Uint8Array }>(listPriceHistorySql, [
        offerId,
        region,
        limit,
        offset,
      ]),
      this.#database.readOne<{ total: number }>(countPriceHistorySql, [offerId, region]),
    ]);
    return { records: rows.map(({ record }) => record), total: count?.total ?? 0 };
  }

  /**
   * Every state of every price, deletions included, in the order seen; then the present prices that
   * were seen again unchanged since. One page is in memory at a time.
   *
   * @param upTo of the latter leaves out prices that the log has entries of after this sequence
   */
  async *everyState(upTo: bigint): AsyncGenerator<StoredObservation> {
    for await (const state of this.states()) yield toObservation(state);
    const sightings = this.#pages(sightingsPageSql, ["", "", upTo], (state) => [
      state.offerId,
      state.region,
      upTo,
    ]);
    for await (const sighting of sightings) yield toObservation(sighting);
  }

  /**
   * Every state of every price, deletions included: price by price, each in the order seen.
   *
   * @param after gives those of prices after this key; default all
   */
  states([offerId = "", region = ""]: readonly string[] = []): AsyncIterable<PriceState> {
    return this.#pages(statesPageSql, [offerId, region, "infinity"], (state) => [
      state.offerId,
      state.region,
      state.observedAt,
    ]);
  }

  async *#pages(
    sql: string,
    start: readonly unknown[],
    positionOf: (state: PriceState) => readonly unknown[],
  ): AsyncGenerator<PriceState> {
    let after = start;
    for (;;) {
      const rows = await this.#database.read<HistoryRow>(sql, after);
      const states = rows.map(toState);
      yield* states;
      const last = states.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      after = positionOf(last);
    }
  }
}

function toState({ offer_id, region, observed_at, record }: HistoryRow): PriceState {
  return {
    offerId: asOfferId(offer_id),
    region: asRegion(region),
    observedAt: observed_at,
    record,
  };
}

function toObservation({ offerId, region, observedAt, record }: PriceState): StoredObservation {
  const isDeletion = record === null;
  const bytes = record ?? toBinary(OfferPriceSchema, create(OfferPriceSchema, { offerId, region }));
  return { kind: "price", key: [offerId, region], observedAt, bytes, isDeletion };
}
