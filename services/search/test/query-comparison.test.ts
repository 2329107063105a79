import { create, toBinary } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { OfferQuerySchema, OfferSort } from "@storefront/contracts/search/v1/offer_query";
import { QueryEventType } from "@storefront/contracts/search/v1/search_service";
import { compareCodePoints, migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { asRegion } from "@storefront/domain/identifiers";
import { describeWithTypesense, memoryDatabase, Seeded } from "@storefront/testkit";
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest";
import { canonicalQuery, queryId } from "../src/domain/canonical-query.ts";
import { offerFilter } from "../src/domain/offer-filter.ts";
import { createPostgresEngine } from "../src/engine/postgres/create-postgres-engine.ts";
import type { IndexWrites, OfferDocument, OfferPrices } from "../src/engine/index-documents.ts";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { createTypesenseEngine, searchService } from "../src/index.ts";
import { QueryEventStore } from "../src/store/query-event-store.ts";
import { QueryWatchStore } from "../src/store/query-watch-store.ts";
import { SavedQueryStore } from "../src/store/saved-query-store.ts";
import { QueryWatches, compareNext } from "../src/watching/query-watches.ts";
import { generateDocuments } from "./support/generated-documents.ts";
import { Model } from "./support/model.ts";
import { withStoredPrices } from "./support/stored-prices.ts";

const region = asRegion("US");

/** Some hundred comparisons, of several statements each. */
const slowly = { timeout: 180_000 };

const followed: MessageInitShape<typeof OfferQuerySchema>[] = [
  {},
  { offerTypes: ["DLC", "DEMO"] },
  { onSale: true },
  { price: { max: 1_500n }, technologies: ["Unity"] },
  { tagIds: ["1"], excludeBlockchain: true },
  { pastGiveaways: true },
  { sort: OfferSort.UPCOMING },
  { sort: OfferSort.RELEASE_DATE, onSale: false },
];

/** A change of the results of a query. */
type Event = readonly [type: QueryEventType, offerId: string];

/** The content of an index, written round by round from a seed. */
class Catalogue {
  readonly offers = new Map<string, OfferDocument>();
  readonly prices = new Map<string, OfferPrices>();
  readonly #random: Seeded;
  readonly #samples = generateDocuments(150, 7);

  constructor(seed: number) {
    this.#random = new Seeded(seed);
  }

  /** Changes some of it; returns the writes. */
  change(): IndexWrites {
    const random = this.#random;
    const ids = Array.from({ length: 1 + random.below(6) }, () => `offer-${random.below(40)}`);
    const removedOffers = random.some([...this.offers.keys()], 2).filter((id) => !ids.includes(id));
    const offers = [...new Set(ids)].map((offerId) => ({
      ...random.pick(this.#samples.offers),
      offerId,
    }));
    const prices = random.some([...this.offers.keys(), ...ids], 4).map((offerId) => ({
      ...random.pick(this.#samples.prices),
      offerId,
    }));
    for (const offer of offers) this.offers.set(offer.offerId, offer);
    for (const id of removedOffers) this.offers.delete(id);
    for (const price of prices) this.prices.set(price.offerId, price);
    return { offers, removedOffers, prices };
  }

  /** The results of a query by plain filtering. */
  find(query: MessageInitShape<typeof OfferQuerySchema>): string[] {
    const model = new Model({
      offers: [...this.offers.values()],
      prices: [...this.prices.values()],
    });
    return [
      ...model.search({
        filter: offerFilter(canonicalQuery(create(OfferQuerySchema, query))),
        order: { key: "creationDate", isAscending: true },
        region,
        nowMs: Date.now(),
        offset: 0,
        limit: 1_000,
        aggregations: [],
      }).offerIds,
    ];
  }
}

function eventsBetween(before: readonly string[], now: readonly string[]): Event[] {
  const left = before.filter((id) => !now.includes(id)).toSorted(compareCodePoints);
  const entered = now.filter((id) => !before.includes(id)).toSorted(compareCodePoints);
  return [
    ...left.map((id): Event => [QueryEventType.LEFT, id]),
    ...entered.map((id): Event => [QueryEventType.ENTERED, id]),
  ];
}

describe("followed queries on postgres", () => {
  defineSuite((database) => withStoredPrices(createPostgresEngine(database), database));
});

describeWithTypesense("followed queries", (typesense) =>
  defineSuite(() => createTypesenseEngine(typesense.address())),
);

function defineSuite(createEngine: (database: Database) => SearchEngine): void {
  let database: Database;
  let engine: SearchEngine;
  let deps: Parameters<typeof compareNext>[0];
  let watches: QueryWatches;
  let events: QueryEventStore;
  const catalogue = new Catalogue(3);

  beforeAll(async () => {
    database = await openDatabase(await memoryDatabase("schemas"));
    await migrate(database, searchService.migrations);
    engine = createEngine(database);
    await engine.createGeneration(1, { dimensions: undefined });
    await database.transaction((tx) => engine.activate(tx, 1));
    await database.write("insert into search.feed_cursor (feed, sequence) values ('catalog', 0)");
    const queries = new SavedQueryStore(database);
    const store = new QueryWatchStore(database, { restMs: 0 });
    deps = { database, engine, queries, watches: store, onEvents: () => {} };
    watches = new QueryWatches(deps, () => {});
    events = new QueryEventStore(database);
  });
  afterAll(async () => {
    await engine.close();
    await database.close();
  });

  /** Like a feed follower: the index and the position in the feed atomically. */
  const write = async () => {
    const writes = catalogue.change();
    await database.transaction(async (tx) => {
      await engine.write(tx, 1, writes);
      await tx.write("update search.feed_cursor set sequence = sequence + 1");
    });
  };
  const compareAll = async () => {
    while (await compareNext(deps));
  };
  const follow = async (asked: MessageInitShape<typeof OfferQuerySchema>) => {
    const query = canonicalQuery(create(OfferQuerySchema, asked));
    const id = queryId(query);
    await deps.queries.save(id, toBinary(OfferQuerySchema, query));
    return (await watches.follow(id, region)).number;
  };
  const logOf = async (watch: bigint): Promise<Event[]> => {
    const newestFirst = await events.list(watch, 1_000);
    return newestFirst.toReversed().map(({ type, offerId }) => [type, offerId]);
  };

  it("report each entry and exit between comparisons once, also after kills", slowly, async () => {
    for (let round = 0; round < 4; round++) await write();
    const logs = [];
    for (const query of followed) {
      logs.push({
        query,
        watch: await follow(query),
        found: catalogue.find(query),
        log: [] as Event[],
      });
    }
    for (let round = 0; round < 10; round++) {
      for (let writes = round % 3; writes >= 0; writes--) await write();
      // Paused or killed, alternately before the comparisons of others and between them.
      const paused = await deps.watches.claimDue();
      assert(paused);
      if (round % 2 === 0) await compareAll();
      await database.write("update search.query_watch set claimed_until = '-infinity'");
      await compareAll();
      expect(await deps.watches.store(paused, [])).toBeUndefined();
      for (const each of logs) {
        const now = catalogue.find(each.query);
        each.log.push(...eventsBetween(each.found, now));
        each.found = now;
      }
    }
    for (const { query, watch, log } of logs) {
      expect({ query, log: await logOf(watch) }).toEqual({ query, log });
    }
    // Rounds in which nothing happens prove little.
    expect(logs.flatMap(({ log }) => log).length).toBeGreaterThan(100);
  });

  it("are not compared while nothing is written", async () => {
    await compareAll();
    expect(await deps.watches.claimDue()).toBeUndefined();
    expect(await deps.watches.next()).toMatchObject({ isAnyFollowed: true });
  });

  it("are compared without writes only where time changes their results", async () => {
    await compareAll();
    await database.write(
      "update search.query_watch set compared_at = clock_timestamp() - interval '61 seconds'",
    );
    const claimed = new Set<bigint>();
    for (let due; (due = await deps.watches.claimDue()) !== undefined;) claimed.add(due.number);
    expect(claimed.size).toBe(3);
  });
}
