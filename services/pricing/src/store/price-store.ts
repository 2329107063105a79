import { joinLookups } from "@storefront/database";
import type { Database } from "@storefront/database";
import type { OfferId, Region } from "@storefront/domain/identifiers";
import { encodePast, joinPastsSql, pastColumnsSql, pastOfRows } from "./price-past-store.ts";
import type { PastRow } from "./price-past-store.ts";

const getPriceSql = {
  name: "pricing.getPrice",
  text: "select record from pricing.price where offer_id = $1 and region = $2",
};

const batchGetPricesSql = {
  name: "pricing.batchGetPrices",
  text: `select offer_id, record from pricing.price
    where offer_id = any($1::text[]) and region = $2`,
};

const listDiscountedPricesSql = {
  name: "pricing.listDiscountedPrices",
  text: `select price.record
    from unnest($1::text[]) with ordinality as wanted(offer_id, ordinal)
    join pricing.price as price on price.offer_id = wanted.offer_id and price.region = $2
    where price.discount > 0 order by wanted.ordinal limit $3`,
};

// A price whose row was observed again is later than its past; then the history is read.
const selectPricesWithPastsSql = `select price.offer_id, price.region, price.record, ${pastColumnsSql}
  from pricing.price as price
  ${joinPastsSql("price", "past.observed_at = price.observed_at")}`;

// The ids are hidden from the planner, which would plan again for each list of them, at three times the cost
// of the rest.
const batchGetPricesWithPastsSql = {
  name: "pricing.batchGetPricesWithPasts",
  text: `${selectPricesWithPastsSql}
    where price.offer_id = any((select $1::text[])::text[]) and price.region = $2
    order by state.observed_at`,
};

const listOfferPricesSql = {
  name: "pricing.listOfferPrices",
  text: "select record from pricing.price where offer_id = $1 order by region",
};

const listOfferPricesWithPastsSql = {
  name: "pricing.listOfferPricesWithPasts",
  text: `${selectPricesWithPastsSql} where price.offer_id = $1
    order by price.region, state.observed_at`,
};

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

interface PriceWithPastRow extends PastRow {
  offer_id: string;
  region: string;
  record: Uint8Array;
}

export interface PriceWithPast {
  readonly offerId: string;
  /** A serialized OfferPrice message. */
  readonly record: Uint8Array;
  /** A serialized PricePast message. */
  readonly past: Uint8Array;
}

/** Reads present prices, as serialized OfferPrice messages. */
export class PriceStore {
  readonly #database: Database;
  readonly priceOf: (offerId: OfferId, region: Region) => Promise<Uint8Array | undefined>;
  /** The same with its past. */
  readonly priceWithPastOf: (
    offerId: OfferId,
    region: Region,
  ) => Promise<PriceWithPast | undefined>;

  constructor(database: Database) {
    this.#database = database;
    this.priceOf = joinLookups<Uint8Array, OfferId, Region>({
      one: async (offerId, region) => {
        const row = await database.readOne<{ record: Uint8Array }>(getPriceSql, [offerId, region]);
        return row?.record;
      },
      many: (offerIds, region) => this.#pricesByOffer(offerIds, region),
    });
    this.priceWithPastOf = joinLookups({
      one: async (offerId, region) =>
        (await this.#pricesWithPastsByOffer([offerId], region)).get(offerId),
      many: (offerIds, region) => this.#pricesWithPastsByOffer(offerIds, region),
    });
  }

  /** Prices in the order of `offerIds`, which has each id once; offers without one are left out. */
  async pricesOf(offerIds: readonly OfferId[], region: Region): Promise<Uint8Array[]> {
    const byOffer = await this.#pricesByOffer(offerIds, region);
    return offerIds.map((id) => byOffer.get(id)).filter((record) => record !== undefined);
  }

  /** As `pricesOf`, each with its past. */
  async pricesWithPastsOf(offerIds: readonly OfferId[], region: Region): Promise<PriceWithPast[]> {
    const byOffer = await this.#pricesWithPastsByOffer(offerIds, region);
    return offerIds.map((id) => byOffer.get(id)).filter((price) => price !== undefined);
  }

  /** The prices of an offer in all regions that have one, by region. */
  async everyPriceOf(offerId: OfferId): Promise<Uint8Array[]> {
    const rows = await this.#database.read<{ record: Uint8Array }>(listOfferPricesSql, [offerId]);
    return rows.map(({ record }) => record);
  }

  /** As `everyPriceOf`, each with its past. */
  async everyPriceWithPastOf(offerId: OfferId): Promise<PriceWithPast[]> {
    const sql = listOfferPricesWithPastsSql;
    const rows = await this.#database.read<PriceWithPastRow>(sql, [offerId]);
    return [...Map.groupBy(rows, ({ region }) => region).values()].map(priceOfRows);
  }

  /** The prices that an offer has had in a region, newest `updated_at` first, and their number on all pages. */
  async historyOf(offerId: OfferId, region: Region, limit: number, offset: number) {
    const key = [offerId, region];
    const [rows, count] = await Promise.all([
      this.#database.read<{ record: Uint8Array }>(listPriceHistorySql, [...key, limit, offset]),
      this.#database.readOne<{ total: number }>(countPriceHistorySql, key),
    ]);
    return { records: rows.map(({ record }) => record), total: count?.total ?? 0 };
  }

  async #pricesWithPastsByOffer(
    offerIds: readonly OfferId[],
    region: Region,
  ): Promise<Map<string, PriceWithPast>> {
    const rows = await this.#database.read<PriceWithPastRow>(batchGetPricesWithPastsSql, [
      offerIds,
      region,
    ]);
    const byOffer = Map.groupBy(rows, ({ offer_id }) => offer_id);
    return new Map([...byOffer].map(([offerId, ofPrice]) => [offerId, priceOfRows(ofPrice)]));
  }

  async #pricesByOffer(
    offerIds: readonly OfferId[],
    region: Region,
  ): Promise<Map<string, Uint8Array>> {
    const rows = await this.#database.read<{ offer_id: string; record: Uint8Array }>(
      batchGetPricesSql,
      [offerIds, region],
    );
    return new Map(rows.map(({ offer_id, record }) => [offer_id, record]));
  }

  /** The first `limit` discounted prices in the order of `offerIds`, which has each id once. */
  async discountedPricesOf(
    offerIds: readonly OfferId[],
    region: Region,
    limit: number,
  ): Promise<Uint8Array[]> {
    const rows = await this.#database.read<{ record: Uint8Array }>(listDiscountedPricesSql, [
      offerIds,
      region,
      limit,
    ]);
    return rows.map(({ record }) => record);
  }
}

/** A price from its rows: at least one, since its history has a state. */
function priceOfRows(rows: readonly PriceWithPastRow[]): PriceWithPast {
  const [first] = rows;
  const past = first?.past ?? pastOfRows(rows);
  if (first === undefined || past === undefined) throw new TypeError("a price has a state");
  const message = past instanceof Uint8Array ? past : encodePast(past);
  return { offerId: first.offer_id, record: first.record, past: message };
}
