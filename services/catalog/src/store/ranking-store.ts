import type { Queryable } from "@storefront/database";

/** An offer and its best place in any collection, from 1. */
export interface RankedOfferRow {
  offer_id: string;
  position: number;
}

const bestRanked = {
  name: "catalog.listRankedOffers",
  text: `
    select ranking.offer_id, min(ranking.position) as position
    from catalog.ranking
    join catalog.offer on offer.id = ranking.offer_id
    where cardinality($1::text[]) = 0 or offer.offer_type = any($1::text[])
    group by ranking.offer_id
    order by min(ranking.position), ranking.offer_id
    limit $2`,
};

/** Reads the places of offers in collections. */
export class RankingStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Best position first, then by id; no types means offers of all. Unknown offers are left out. */
  async best(offerTypes: readonly string[], limit: number): Promise<RankedOfferRow[]> {
    return await this.#database.read(bestRanked, [offerTypes, limit]);
  }
}
