import { create, toBinary } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { LowWindow, OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import { QueryEventType } from "@storefront/contracts/search/v1/search_service";
import { lockWriters, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { asRegion } from "@storefront/domain/identifiers";
import { describeOnEachMigratedDatabase, Seeded } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { canonicalQuery, queryId } from "../src/domain/canonical-query.ts";
import { offerFilter } from "../src/domain/offer-filter.ts";
import type { OfferDocument, PriceDocument } from "../src/engine/index-documents.ts";
import { createPostgresEngine } from "../src/engine/postgres/create-postgres-engine.ts";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { QueryEventStore } from "../src/store/query-event-store.ts";
import { QueryWatchStore } from "../src/store/query-watch-store.ts";
import { SavedQueryStore } from "../src/store/saved-query-store.ts";
import { QueryWatches, compareNext } from "../src/watching/query-watches.ts";
import { offerOf } from "./support/offer-of.ts";
import { withStoredPrices } from "./support/stored-prices.ts";
import { withWritesBetween } from "./support/writes-between.ts";

type Query = MessageInitShape<typeof OfferQuerySchema>;

const { ENTERED, LEFT } = QueryEventType;
const region = asRegion("US");
const values = Array.from({ length: 100 }, (_, index) => `value ${index}`);
const valueAt = (count: number) => `value ${count % values.length}`;

/** The state of an offer after a number of writes: its members and price, written in one transaction. */
type State = (count: number) => readonly [Partial<OfferDocument>, Price];
type Price = Pick<PriceDocument, "originalPrice" | "discountPrice"> & Partial<PriceDocument>;

/** A query, and an offer that changes with each write. */
interface Case {
  readonly query: Query;
  readonly state: State;
  /** Whether the query finds the offer after a number of writes. */
  readonly isFound: (count: number) => boolean;
}

const fullPrice = { originalPrice: 1_000, discountPrice: 1_000 };
const sale = { originalPrice: 1_000, discountPrice: 500 };
const isOdd = (count: number) => count % 2 === 1;
const always = () => true;
const never = () => false;

/** Offers that each write changes, but that never enter or leave; and one that does. */
const cases: Readonly<Record<string, Case>> = {
  "its type or its price": {
    query: { offerTypes: ["DLC"], onSale: true },
    state: (count) =>
      isOdd(count) ? [{ offerType: "DLC" }, fullPrice] : [{ offerType: "DEMO" }, sale],
    isFound: never,
  },
  "its title or its price": {
    query: { title: "amber", onSale: true },
    state: (count) =>
      isOdd(count) ? [{ title: "Amber road" }, fullPrice] : [{ title: "Birch road" }, sale],
    isFound: never,
  },
  "its title or its type": {
    query: { title: "cedar", offerTypes: ["EDITION"] },
    state: (count) =>
      isOdd(count)
        ? [{ title: "Cedar road", offerType: "DEMO" }, fullPrice]
        : [{ title: "Birch road", offerType: "EDITION" }, fullPrice],
    isFound: never,
  },
  "its low or its release": {
    query: { lowestPriceOf: LowWindow.DAYS_30 },
    state: (count) =>
      isOdd(count)
        ? [{ outSinceMs: Number.MAX_SAFE_INTEGER }, { ...sale, lowestSinceMs: 1 }]
        : [{ outSinceMs: 0 }, { ...sale, lowestSinceMs: undefined }],
    isFound: never,
  },
  "a category that is new": {
    query: { categories: values },
    state: (count) => [{ categories: [valueAt(count)] }, fullPrice],
    isFound: always,
  },
  "an attribute that is new": {
    query: { customAttributes: values },
    state: (count) => [{ customAttributes: [valueAt(count)] }, fullPrice],
    isFound: always,
  },
  "its type and its price": {
    query: { offerTypes: ["ADD_ON"], onSale: true },
    state: (count) =>
      isOdd(count) ? [{ offerType: "ADD_ON" }, sale] : [{ offerType: "DEMO" }, fullPrice],
    isFound: isOdd,
  },
};

/** Each round compares each query, during and after writes. */
const rounds = 25;

/** Some hundred comparisons, of several statements each. */
const slowly = { timeout: 180_000 };

describeOnEachMigratedDatabase("queries that are compared while offers are written", (given) => {
  let database: Database;
  let writer: SearchEngine;
  let replicas: SearchEngine[];
  let watches: QueryWatchStore;
  const random = new Seeded(5);
  /** Number of writes of all offers, minus one. */
  let count = -1;
  /** Number of remaining writes during the comparison of a query. */
  let pending = 0;
  beforeAll(async () => {
    database = await openDatabase(given.options());
    watches = new QueryWatchStore(database, { restMs: 0 });
    writer = withStoredPrices(createPostgresEngine(database), database);
    const disturbed = withWritesBetween(database, async () => {
      if (pending === 0 || random.chance(0.7)) return;
      pending -= 1;
      await write();
    });
    replicas = [createPostgresEngine(disturbed), createPostgresEngine(disturbed)];
    await writer.createGeneration(1, { dimensions: undefined });
    await database.transaction((tx) => writer.activate(tx, 1));
    await database.write("insert into search.feed_cursor (feed, sequence) values ('catalog', 0)");
  });
  afterAll(async () => {
    for (const engine of [writer, ...replicas]) await engine.close();
    await database.close();
  });

  /** Like a feed follower: under the writers' lock, the index and the position in the feed atomically. */
  const write = async () => {
    count += 1;
    const states = Object.entries(cases).map(([offerId, { state }]) => ({
      offerId,
      state: state(count),
    }));
    const offers = states.map(({ offerId, state: [members] }) => offerOf(offerId, members));
    const prices = states.map(({ offerId, state: [, price] }) => ({
      offerId,
      prices: [{ region, updatedAtMs: 0, isLowest: false, lowestSinceMs: undefined, ...price }],
    }));
    await database.transaction(async (tx) => {
      await lockWriters(tx, "search");
      await writer.write(tx, 1, { offers, prices });
      await tx.write("update search.feed_cursor set sequence = sequence + 1");
    });
  };
  const depsOf = (engine: SearchEngine) => {
    const queries = new SavedQueryStore(database);
    return { database, engine, queries, watches, onEvents: () => {} };
  };
  const follow = async (asked: Query) => {
    const query = canonicalQuery(create(OfferQuerySchema, asked));
    const id = queryId(query);
    const deps = depsOf(random.pick(replicas));
    await deps.queries.save(id, toBinary(OfferQuerySchema, query));
    return (await new QueryWatches(deps, () => {}).follow(id, region)).number;
  };
  /** The search of another caller, which may be in progress when a comparison begins. */
  const search = async (engine: SearchEngine) => {
    const filter = offerFilter(canonicalQuery(create(OfferQuerySchema, { onSale: true })));
    const order = { key: "creationDate", isAscending: true } as const;
    const selection = { filter, order, region, nowMs: Date.now() };
    await engine.searchOffers({ ...selection, offset: 0, limit: 10, aggregations: [] });
  };
  /** @param writes maximum of concurrent writes */
  const compare = async (writes: number) => {
    pending = random.below(writes + 1);
    const engine = random.pick(replicas);
    const [isDone] = await Promise.all([compareNext(depsOf(engine)), search(engine)]);
    pending = 0;
    return isDone;
  };

  it("report only states that existed, and finally the present one", slowly, async () => {
    const events = new QueryEventStore(database);
    await write();
    const followed: { offerId: string; number: bigint }[] = [];
    for (const [offerId, { query }] of Object.entries(cases)) {
      pending = random.below(3);
      followed.push({ offerId, number: await follow(query) });
    }
    for (let round = 0; round < rounds; round++) {
      for (let each = 0; each < followed.length; each++) await compare(2);
      await write();
      while (await compare(0));
      for (const { offerId, number } of followed) {
        const log = await events.list(number, 1_000);
        const reported = log.map(({ type, offerId: of }) => [type, of]);
        expect({ offerId, reported }).toEqual({
          offerId,
          reported: expectedOf(offerId, reported.length),
        });
      }
    }
    const moves = await events.list(followed.at(-1)?.number ?? 0n, 1_000);
    expect(moves.length).toBeGreaterThan(rounds / 4);
  });

  /** Expected events, newest first: none for an offer that never enters or leaves; else alternating up to now. */
  const expectedOf = (offerId: string, length: number) => {
    const isFound = cases[offerId]?.isFound;
    if (isFound !== isOdd) return [];
    const [newest, before] = isOdd(count) ? [ENTERED, LEFT] : [LEFT, ENTERED];
    return Array.from({ length }, (_, index) => [index % 2 === 0 ? newest : before, offerId]);
  };

  it("are compared with the live index, whichever process has activated it", async () => {
    const number = await follow({ offerTypes: ["BUNDLE"] });
    await writer.createGeneration(2, { dimensions: undefined });
    await database.transaction(async (tx) => {
      await lockWriters(tx, "search");
      await writer.write(tx, 2, { offers: [offerOf("bundle", { offerType: "BUNDLE" })] });
      await writer.activate(tx, 2);
      await tx.write("update search.feed_cursor set sequence = sequence + 1");
    });
    while (await compare(0));
    const [event] = await new QueryEventStore(database).list(number, 10);
    expect(event).toMatchObject({ type: ENTERED, offerId: "bundle" });
  });
});
