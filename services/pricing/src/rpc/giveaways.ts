import {
  CurrentGiveawaySchema,
  GiveawayState,
  ListCurrentGiveawaysResponseSchema,
  ListGiveawaysRequestSchema,
  ListGiveawaysResponseSchema,
  ListOfferGiveawaysResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import type { Queryable, Statement } from "@storefront/database";
import { asOfferId } from "@storefront/domain/identifiers";
import { encodedOf, EncodedWriter, pageOf } from "@storefront/rpc";
import { instantOf, validForMs } from "./handlers.ts";
import type { PricingHandlers } from "./handlers.ts";

const maxGiveaways = 1_000;
const maxOffers = 50_000;

/** Most giveaways of the offers of one response. */
const maxHistorical = 20_000;

/** A giveaway; `record` is a serialized Giveaway message. */
interface StoredGiveaway {
  readonly id: string;
  readonly offer_id: string | null;
  readonly start_date: Date | null;
  readonly record: Uint8Array;
}

const { giveaway, historical } = CurrentGiveawaySchema.field;

/** Lists are newest start first, then by id, unless the contract specifies another order. */
export function giveawayHandlers(database: Queryable) {
  const list = (statement: Statement, parameters: readonly unknown[]) =>
    database.read<StoredGiveaway>(statement, parameters);
  const nextOf = async (statement: Statement, parameters: readonly unknown[]) =>
    (await database.readOne<{ next: Date | null }>(statement, parameters))?.next ?? null;
  return {
    async listCurrentGiveaways(request) {
      const { platforms } = request;
      const at = instantOf(request.at);

      const [current, next] = await Promise.all([
        list(listCurrentGiveawaysSql, [platforms, at, maxGiveaways]),
        nextOf(nextCurrentChangeSql, [platforms, at]),
      ]);
      const offerIds = [...new Set(current.flatMap(({ offer_id }) => offer_id ?? []))];
      const ofTheseOffers =
        offerIds.length === 0 ? [] : await list(listOfferGiveawaysSql, [offerIds, maxHistorical]);
      const ofOffers = Map.groupBy(ofTheseOffers, ({ offer_id }) => offer_id);
      const currentGiveaways = current.map((each) =>
        encodeEntry(each, earlierGiveaways(each, ofOffers.get(each.offer_id) ?? [])),
      );
      return encodedOf(ListCurrentGiveawaysResponseSchema, {
        currentGiveaways,
        validForMs: validForMs(at, next),
      });
    },

    async listGiveaways(request) {
      const { state, platforms } = request;
      const at = instantOf(request.at);
      const { pageSize, offset } = pageOf(ListGiveawaysRequestSchema, request);

      const { page, count } = sqlOf(state);
      const [rows, counted, next] = await Promise.all([
        database.read<{ record: Uint8Array }>(page, [at, platforms, pageSize, offset]),
        database.readOne<{ total: number }>(count, [at, platforms]),
        nextOf(nextChangeSql, [at]),
      ]);
      return encodedOf(ListGiveawaysResponseSchema, {
        giveaways: rows.map(({ record }) => record),
        totalSize: counted?.total ?? 0,
        validForMs: validForMs(at, next),
      });
    },

    async listOfferGiveaways({ offerId }) {
      const stored = await list(listOfferGiveawaysSql, [[asOfferId(offerId)], maxGiveaways]);
      return encodedOf(ListOfferGiveawaysResponseSchema, {
        giveaways: stored.map(({ record }) => record),
      });
    },

    async listGivenAwayOffers(request) {
      const at = instantOf(request.at);

      const [rows, next] = await Promise.all([
        database.read<{ offer_id: string }>(listGivenAwayOffersSql, [at, maxOffers]),
        nextOf(nextStartSql, [at]),
      ]);
      const offerIds = rows.map(({ offer_id }) => offer_id);
      return { offerIds, validForMs: BigInt(validForMs(at, next)) };
    },
  } satisfies PricingHandlers;
}

function encodeEntry({ record }: StoredGiveaway, earlier: readonly StoredGiveaway[]): Uint8Array {
  return new EncodedWriter()
    .message(giveaway.number, record)
    .messages(
      historical.number,
      earlier.map((each) => each.record),
    )
    .finish();
}

/** Of the giveaways of one offer, those that started before `current`, in the order given. */
function earlierGiveaways(
  { id, start_date: before }: StoredGiveaway,
  ofOffer: readonly StoredGiveaway[],
): StoredGiveaway[] {
  if (before === null) return [];
  return ofOffer.filter(
    (each) => each.id !== id && each.start_date !== null && each.start_date < before,
  );
}

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

// In any state and on any platform. The end of a giveaway is inclusive.
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
