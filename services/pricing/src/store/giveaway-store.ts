import { GiveawayState } from "@storefront/contracts/pricing/v1/pricing_service";
import type { Database } from "@storefront/database";
import { asOfferId } from "@storefront/domain/identifiers";
import type { OfferId } from "@storefront/domain/identifiers";

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

// Whatever their state and platform. One that holds does so until its end is over.
const nextChangeSql = {
  name: "pricing.nextGiveawayChange",
  text: `select least(
    (select min(start_date) from pricing.giveaway where start_date > $1),
    (select min(end_date) from pricing.giveaway where end_date >= $1)) as next`,
};

// The first three are disjoint: one that ends before it starts is past as soon as its end is over.
const currentSql = listStateSql("current", {
  condition: "start_date <= $1 and (end_date >= $1 or end_date is null)",
  order: "end_date nulls last, id",
});
const upcomingSql = listStateSql("upcoming", {
  condition: "start_date > $1 and (end_date >= $1 or end_date is null)",
  order: "start_date, id",
});
const pastSql = listStateSql("past", {
  condition: "end_date < $1",
  order: "end_date desc, id",
});
const begunSql = listStateSql("begun", {
  condition: "start_date <= $1",
  order: "start_date desc, id",
});

function listStateSql(state: string, { condition, order }: { condition: string; order: string }) {
  const found = `from pricing.giveaway
    where ${condition} and (cardinality($2::text[]) = 0 or coalesce(platform, '') = any($2::text[]))`;
  return {
    page: {
      name: `pricing.listGiveaways.${state}`,
      text: `select record ${found} order by ${order} limit $3 offset $4`,
    },
    count: {
      name: `pricing.countGiveaways.${state}`,
      text: `select count(*)::int4 as total ${found}`,
    },
  };
}

function sqlOf(state: GiveawayState): ReturnType<typeof listStateSql> {
  switch (state) {
    case GiveawayState.UPCOMING:
      return upcomingSql;
    case GiveawayState.PAST:
      return pastSql;
    case GiveawayState.BEGUN:
      return begunSql;
    default:
      return currentSql;
  }
}

export interface GiveawayQuery {
  readonly state: GiveawayState;
  /** The empty string stands for giveaways without a platform; none means all. */
  readonly platforms: readonly string[];
  readonly at: Date;
}

export interface GiveawayPage {
  /** Serialized Giveaway messages. */
  readonly records: readonly Uint8Array[];
  /** Number of giveaways on all pages. */
  readonly total: number;
}

/** Most giveaways of the offers of one response. */
const maxHistorical = 20_000;

/** A giveaway; `record` is a serialized Giveaway message. */
export interface StoredGiveaway {
  readonly id: string;
  readonly offerId: OfferId | null;
  readonly startDate: Date | null;
  readonly record: Uint8Array;
}

interface GiveawayRow {
  id: string;
  offer_id: string | null;
  start_date: Date | null;
  record: Uint8Array;
}

/** Reads giveaways. Lists are newest start first, then by id, unless they say otherwise. */
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

  /** Those in a state at `at`, in the order that the contract gives the state. */
  async inState(
    { state, platforms, at }: GiveawayQuery,
    limit: number,
    offset: number,
  ): Promise<GiveawayPage> {
    const { page, count } = sqlOf(state);
    const [rows, counted] = await Promise.all([
      this.#database.read<{ record: Uint8Array }>(page, [at, platforms, limit, offset]),
      this.#database.readOne<{ total: number }>(count, [at, platforms]),
    ]);
    return { records: rows.map(({ record }) => record), total: counted?.total ?? 0 };
  }

  /** When time alone changes the state of any, at or after `at`; null for never. */
  async nextChange(at: Date): Promise<Date | null> {
    return await this.#next(nextChangeSql, [at]);
  }

  /** Those of one offer on any platform. */
  async ofOffer(offerId: OfferId, limit: number): Promise<StoredGiveaway[]> {
    return await this.#list(listOfferGiveawaysSql, [[offerId], limit]);
  }

  /** Those of many offers on any platform, by offer. */
  async ofOffers(offerIds: readonly OfferId[]): Promise<Map<OfferId | null, StoredGiveaway[]>> {
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
      offerId: offer_id === null ? null : asOfferId(offer_id),
      startDate: start_date,
      record,
    }));
  }
}
