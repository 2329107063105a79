import type { Database } from "@storefront/database";

const listCurrentGiveawaysSql = {
  name: "pricing.listCurrentGiveaways",
  text: `select id, offer_id, start_date, record from pricing.giveaway
    where end_date >= $2 and start_date <= $2 and platform = any($1::text[])
    order by start_date desc, id limit $3`,
};

const listOfferGiveawaysSql = {
  name: "pricing.listOfferGiveaways",
  text: `select id, offer_id, start_date, record from pricing.giveaway
    where offer_id = any($1::text[]) order by start_date desc nulls last, id limit $2`,
};

const listGivenAwayOffersSql = {
  name: "pricing.listGivenAwayOffers",
  text: `select distinct offer_id from pricing.giveaway
    where start_date <= $1 and offer_id is not null order by offer_id limit $2`,
};

// One that has not begun ends after it begins.
const nextCurrentChangeSql = {
  name: "pricing.nextCurrentChange",
  text: `select least(min(start_date) filter (where start_date > $2), min(end_date)) as next
    from pricing.giveaway where end_date >= $2 and platform = any($1::text[])`,
};

const nextStartSql = {
  name: "pricing.nextStart",
  text: "select min(start_date) as next from pricing.giveaway where start_date > $1",
};

/** Most giveaways of the offers of one answer. */
const maxHistorical = 20_000;

/** A giveaway; `record` is a serialized Giveaway message. */
export interface StoredGiveaway {
  readonly id: string;
  readonly offerId: string | null;
  readonly startDate: Date | null;
  readonly record: Uint8Array;
}

interface GiveawayRow {
  id: string;
  offer_id: string | null;
  start_date: Date | null;
  record: Uint8Array;
}

/** Reads giveaways. Lists are newest start first, then by id. */
export class GiveawayStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those on the platforms that hold at `at`; one without an end does not. */
  async currentOn(
    platforms: readonly string[],
    at: Date,
    limit: number,
  ): Promise<StoredGiveaway[]> {
    return await this.#list(listCurrentGiveawaysSql, [platforms, at, limit]);
  }

  /** When time alone changes which ones hold on the platforms, at or after `at`; null for never. */
  async nextCurrentChange(platforms: readonly string[], at: Date): Promise<Date | null> {
    return await this.#next(nextCurrentChangeSql, [platforms, at]);
  }

  /** Those of one offer on any platform. */
  async ofOffer(offerId: string, limit: number): Promise<StoredGiveaway[]> {
    return await this.#list(listOfferGiveawaysSql, [[offerId], limit]);
  }

  /** Those of many offers on any platform, by offer. */
  async ofOffers(offerIds: readonly string[]): Promise<Map<string | null, StoredGiveaway[]>> {
    if (offerIds.length === 0) return new Map();
    const giveaways = await this.#list(listOfferGiveawaysSql, [offerIds, maxHistorical]);
    return Map.groupBy(giveaways, ({ offerId }) => offerId);
  }

  /** Offers with a giveaway that has started by `at`, each once, by id. */
  async offersGivenAwayBy(at: Date, limit: number): Promise<string[]> {
    const rows = await this.#database.read<{ offer_id: string }>(listGivenAwayOffersSql, [
      at,
      limit,
    ]);
    return rows.map(({ offer_id }) => offer_id);
  }

  /** When the next giveaway after `at` starts; null for never. */
  async nextStart(at: Date): Promise<Date | null> {
    return await this.#next(nextStartSql, [at]);
  }

  async #next(
    statement: { name: string; text: string },
    parameters: readonly unknown[],
  ): Promise<Date | null> {
    const row = await this.#database.readOne<{ next: Date | null }>(statement, parameters);
    return row?.next ?? null;
  }

  async #list(
    statement: { name: string; text: string },
    parameters: readonly unknown[],
  ): Promise<StoredGiveaway[]> {
    const rows = await this.#database.read<GiveawayRow>(statement, parameters);
    return rows.map(({ id, offer_id, start_date, record }) => ({
      id,
      offerId: offer_id,
      startDate: start_date,
      record,
    }));
  }
}
