import { fromBinary } from "@bufbuild/protobuf";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { joinLookups } from "@storefront/database";
import type { Database } from "@storefront/database";
import type { OfferId, Region } from "@storefront/identifiers";
import { pastAfter } from "@storefront/price-lows";
import type { PricePast } from "@storefront/price-lows";
import { priceState } from "../domain/price-state.ts";
import { readPasts } from "./price-past-store.ts";

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

// The stored past, where it is of the time of its row, or whether there was a single state. A price that was
// seen again in its row, or written by a release that keeps no pasts, is looked at again.
const selectPricesWithPastsSql = `
  select price.offer_id, price.region, price.record, price.observed_at, past.past,
    past.past is null and exists (
      select from pricing.price_history as history
      where history.offer_id = price.offer_id and history.region = price.region
        and history.observed_at < price.observed_at
    ) as is_past_elsewhere
  from pricing.price as price
  left join pricing.price_past as past
    on past.offer_id = price.offer_id and past.region = price.region
    and past.observed_at = price.observed_at`;

// The ids are hidden from the planner, which would plan anew for each list of them, at three times the cost
// of the rest.
const batchGetPricesWithPastsSql = {
  name: "pricing.batchGetPricesWithPasts",
  text: `${selectPricesWithPastsSql}
    where price.offer_id = any((select $1::text[])::text[]) and price.region = $2`,
};

const listOfferPricesSql = {
  name: "pricing.listOfferPrices",
  text: "select record from pricing.price where offer_id = $1 order by region",
};

const listOfferPricesWithPastsSql = {
  name: "pricing.listOfferPricesWithPasts",
  text: `${selectPricesWithPastsSql} where price.offer_id = $1 order by price.region`,
};

interface PriceWithPastRow {
  offer_id: string;
  region: string;
  record: Uint8Array;
  observed_at: Date;
  past: PricePast | null;
  is_past_elsewhere: boolean;
}

/** A present price and what is kept of all its states. */
export interface PriceWithPast {
  readonly offerId: string;
  /** A serialized OfferPrice message. */
  readonly record: Uint8Array;
  readonly past: PricePast;
}

/** Reads present prices, as serialized OfferPrice messages. */
export class PriceStore {
  readonly #database: Database;
  /** The price of an offer in a region. */
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
    return await this.#withPasts(await this.#database.read<PriceWithPastRow>(sql, [offerId]));
  }

  async #pricesWithPastsByOffer(
    offerIds: readonly OfferId[],
    region: Region,
  ): Promise<Map<string, PriceWithPast>> {
    const rows = await this.#database.read<PriceWithPastRow>(batchGetPricesWithPastsSql, [
      offerIds,
      region,
    ]);
    const prices = await this.#withPasts(rows);
    return new Map(prices.map((price) => [price.offerId, price]));
  }

  /** The prices of rows, in their order. */
  async #withPasts(rows: readonly PriceWithPastRow[]): Promise<PriceWithPast[]> {
    const elsewhere = rows.filter(({ is_past_elsewhere }) => is_past_elsewhere);
    const found = await readPasts(
      this.#database,
      elsewhere.map(({ offer_id, region }) => [offer_id, region]),
    );
    const pasts = new Map(elsewhere.map((row, index) => [row, found[index]]));
    return rows.flatMap((row) => {
      const past = row.is_past_elsewhere ? pasts.get(row) : (row.past ?? onlyPast(row));
      return past === undefined ? [] : [{ offerId: row.offer_id, record: row.record, past }];
    });
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

/** The past of a price that has had a single state. */
function onlyPast({ observed_at, record }: PriceWithPastRow): PricePast {
  return pastAfter(undefined, priceState(observed_at, fromBinary(OfferPriceSchema, record)));
}
