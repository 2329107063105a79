import { joinLookups } from "@storefront/database";
import type { Database } from "@storefront/database";

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

/** Reads present prices, as serialized OfferPrice messages. */
export class PriceStore {
  readonly #database: Database;
  /** The price of an offer in a region. */
  readonly priceOf: (offerId: string, region: string) => Promise<Uint8Array | undefined>;

  constructor(database: Database) {
    this.#database = database;
    this.priceOf = joinLookups({
      one: async (offerId, region) => {
        const row = await database.readOne<{ record: Uint8Array }>(getPriceSql, [offerId, region]);
        return row?.record;
      },
      many: (offerIds, region) => this.#pricesByOffer(offerIds, region),
    });
  }

  /** Prices in the order of `offerIds`, which has each id once; offers without one are left out. */
  async pricesOf(offerIds: readonly string[], region: string): Promise<Uint8Array[]> {
    const byOffer = await this.#pricesByOffer(offerIds, region);
    return offerIds.map((id) => byOffer.get(id)).filter((record) => record !== undefined);
  }

  async #pricesByOffer(
    offerIds: readonly string[],
    region: string,
  ): Promise<Map<string, Uint8Array>> {
    const rows = await this.#database.read<{ offer_id: string; record: Uint8Array }>(
      batchGetPricesSql,
      [offerIds, region],
    );
    return new Map(rows.map(({ offer_id, record }) => [offer_id, record]));
  }

  /** The first `limit` discounted prices in the order of `offerIds`, which has each id once. */
  async discountedPricesOf(
    offerIds: readonly string[],
    region: string,
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
