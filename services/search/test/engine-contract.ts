import type { Database } from "@storefront/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asRegion } from "@storefront/domain/identifiers";
import { defaultRegion } from "@storefront/domain/regions";
import type { IndexWrites, OfferDocument } from "../src/engine/index-documents.ts";
import type {
  EntrySearch,
  OfferOrder,
  OfferSearch,
  PagePosition,
} from "../src/engine/offer-search.ts";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { aggregationNames } from "../src/domain/offer-terms.ts";
import { Seeded } from "@storefront/testkit";
import { describeMeaningContract } from "./meaning-contract.ts";
import { compareWithModel } from "./support/compare-with-model.ts";
import { generateDocuments, nowMs } from "./support/generated-documents.ts";
import { everything } from "../src/domain/offer-filter.ts";
import { offerOf } from "./support/offer-of.ts";
import { describeTextContract } from "./text-contract.ts";

/** An engine, and the migrated database whose transactions it receives. */
export interface EngineFixture {
  readonly engine: SearchEngine;
  readonly database: Database;
  close(): Promise<void>;
}

/** How an engine is compared with plain filtering. */
export interface ContractOptions {
  readonly searches: number;
  /** Whether its choice of equally frequent values as the last of 250 is arbitrary. Default false. */
  readonly choosesTies?: boolean;
  /** Whether its vectors need pgvector, which test servers lack: `pgvector.test.ts` has that part. Default false. */
  readonly needsPgvector?: boolean;
}

const regions = ["US", "EURO", "BR2", "JP", "KUWAIT", "nowhere"].map(asRegion);

/** The guarantees of every search engine. */
export function describeEngineContract(
  name: string,
  { searches, choosesTies = false, needsPgvector = false }: ContractOptions,
  start: () => Promise<EngineFixture>,
): void {
  describe(`${name} as a search engine`, () => {
    let fixture: EngineFixture;
    let generation = 0;
    /** Ids of offers that the live generation may have. */
    let storedIds: string[] = [];
    beforeAll(async () => {
      fixture = await start();
    });
    afterAll(() => fixture.close());

    /** Replaces the live generation by one with these documents. */
    async function replaceGeneration(...batches: IndexWrites[]): Promise<void> {
      const before = generation;
      storedIds = batches.flatMap(({ offers = [] }) => offers.map(({ offerId }) => offerId));
      generation += 1;
      await fixture.engine.createGeneration(generation, { dimensions: 4 });
      for (const writes of batches) await write(writes);
      await fixture.engine.finishBuilding(generation);
      await activate(generation);
      if (before > 0) await fixture.engine.dropGeneration(before);
    }
    /** Replaces all offers by these; the words of the former ones remain known. */
    async function replaceOffers(offers: readonly OfferDocument[]): Promise<void> {
      if (generation === 0) return await replaceGeneration({ offers });
      const ids = offers.map(({ offerId }) => offerId);
      await write({ offers, removedOffers: storedIds.filter((id) => !ids.includes(id)) });
      storedIds = ids;
    }
    const write = (writes: IndexWrites, number = generation) =>
      fixture.database.transaction((tx) => fixture.engine.write(tx, number, writes));
    const activate = async (number: number) => {
      await fixture.database.transaction((tx) => fixture.engine.activate(tx, number));
      await fixture.engine.liveGeneration();
    };
    const find = async (search: Partial<OfferSearch>) =>
      await fixture.engine.searchOffers({ ...anySearch, ...search });

    it(`agrees with plain filtering on totals, order and counts for ${searches} searches`, async () => {
      const documents = generateDocuments(600, 1);
      await replaceGeneration({ offers: documents.offers.slice(300) }, documents, {
        offers: documents.offers.slice(0, 9),
      });
      const options = { count: searches, regions, nowMs, choosesTies };
      const { differences, foundCount } = await compareWithModel(
        fixture.engine,
        documents,
        options,
      );
      expect(differences).toEqual([]);
      // Searches that find nothing prove little.
      expect(foundCount).toBeGreaterThan(searches / 3);
    });

    it("stores the last write of an offer, and its prices, which may precede it", async () => {
      const price = {
        region: defaultRegion,
        originalPrice: 900,
        discountPrice: 500,
        isLowest: true,
        lowestSinceMs: undefined,
      };
      const prices = [{ offerId: "a", prices: [{ ...price, updatedAtMs: nowMs }] }];
      await replaceGeneration(
        { prices },
        { offers: [offerOf("a", { offerType: "DLC" }), offerOf("b")] },
      );
      await write({ offers: [offerOf("a", { offerType: "DEMO" })] });
      const dlc = await find({ filter: { ...everything, offerTypes: ["DLC"] } });
      expect(dlc.total).toBe(0);
      const demo = await find({ filter: { ...everything, offerTypes: ["DEMO"], onSale: true } });
      expect(demo.offerIds).toEqual(["a"]);
      expect(demo.aggregations.prices).toEqual({ count: 1, min: 500, max: 500, avg: 500 });
      await write({ prices: [{ offerId: "a", prices: [] }], removedOffers: ["b"] });
      const left = await find({});
      expect(left.offerIds).toEqual(["a"]);
      expect(left.aggregations.prices?.count).toBe(0);
    });

    it("finds the prices of a new region, without a failed search meanwhile", async () => {
      const region = asRegion("NEWLAND");
      const price = {
        region,
        originalPrice: 900,
        discountPrice: 500,
        isLowest: true,
        lowestSinceMs: undefined,
        updatedAtMs: nowMs,
      };
      await replaceOffers([offerOf("a"), offerOf("b")]);
      const priced = async () =>
        await find({
          region,
          filter: { ...everything, price: { min: 400n, max: undefined } },
          order: { key: "price", isAscending: true },
        });
      expect((await priced()).offerIds).toEqual([]);
      const written = new AbortController();
      const searching = (async () => {
        while (!written.signal.aborted) await priced();
      })();
      await write({ prices: [{ offerId: "b", regions: [region], prices: [price] }] });
      written.abort();
      await searching;
      await expect.poll(async () => (await priced()).offerIds).toEqual(["b"]);
      expect((await priced()).aggregations.prices).toMatchObject({ count: 1, min: 500, max: 500 });
    });

    it("searches the generation that was activated last, and no other", async () => {
      await replaceGeneration({ offers: [offerOf("old")] });
      const next = generation + 1;
      await fixture.engine.createGeneration(next, { dimensions: 4 });
      await write({ offers: [offerOf("new")] }, next);
      expect((await find({})).offerIds).toEqual(["old"]);
      await activate(next);
      await fixture.engine.dropGeneration(generation);
      await fixture.engine.dropGeneration(generation);
      generation = next;
      storedIds = ["new"];
      expect((await find({})).offerIds).toEqual(["new"]);
      expect(await fixture.engine.liveGeneration()).toBe(next);
    });

    it("returns only the requested aggregations", async () => {
      await replaceOffers([offerOf("a", { offerType: "DLC", technologies: ["Unity"] })]);
      expect(await find({ aggregations: [] })).toMatchObject({ offerIds: ["a"], aggregations: {} });
      expect(await find({ limit: 0 })).toMatchObject({ offerIds: [], total: 1 });
      const some = await find({ aggregations: ["technologies", "prices"] });
      expect(some.total).toBe(1);
      expect(some.aggregations).toEqual({
        technologies: [{ key: "Unity", count: 1 }],
        prices: { count: 0, min: undefined, max: undefined, avg: undefined },
      });
      expect(Object.keys((await find({})).aggregations)).toEqual(aggregationNames);
    });

    it("counts values without their own filter, but with the text and the other filters", async () => {
      await replaceOffers([
        offerOf("a", { title: "Moon", offerType: "DLC", developer: "One" }),
        offerOf("b", { title: "Moon tide", offerType: "DEMO", developer: "One" }),
        offerOf("c", { title: "Moon rise", offerType: "DLC", developer: "Two" }),
        offerOf("d", { title: "Sun", offerType: "DEMO", developer: "One" }),
      ]);
      const hits = await find({
        filter: {
          ...everything,
          text: "moon",
          offerTypes: ["DLC"],
          developerDisplayName: "One",
        },
        aggregations: ["offerTypes", "developers", "publishers"],
        isDisjunctive: true,
      });
      expect(hits).toMatchObject({ offerIds: ["a"], total: 1 });
      expect(hits.aggregations).toEqual({
        offerTypes: [
          { key: "DEMO", count: 1 },
          { key: "DLC", count: 1 },
        ],
        developers: [
          { key: "One", count: 1 },
          { key: "Two", count: 1 },
        ],
        publishers: [],
      });
    });

    it("finds entries by all words, newest first, and counts them", async () => {
      const entry = (entryId: string, timestampMs: number, text: string) => ({
        entryId,
        timestampMs,
        contextType: entryId.startsWith("o") ? "offer" : "item",
        contextId: `id of ${entryId}`,
        text,
      });
      await replaceGeneration({
        entries: [
          entry("o1", 1_000, "Half-Life title releaseDate"),
          entry("o2", 3_000, "Half-Life effectiveDate"),
          entry("i1", 3_000, "half life 2"),
        ],
      });
      const all = { text: "", contextType: undefined, contextId: undefined, offset: 0, limit: 10 };
      const search = async (part: Partial<EntrySearch>) =>
        await fixture.engine.searchEntries({ ...all, ...part });
      expect(await search({ text: "life half" })).toEqual({
        entryIds: ["i1", "o2", "o1"],
        total: 3,
        indexedUntilMs: 3_000,
      });
      expect((await search({ text: "release half" })).entryIds).toEqual([]);
      expect((await search({ text: "half release" })).entryIds).toEqual(["o1"]);
      expect((await search({ contextType: "offer", limit: 1 })).entryIds).toEqual(["o2"]);
      expect((await search({ contextType: "offer", limit: 1 })).total).toBe(2);
      expect((await search({ contextId: "id of i1" })).entryIds).toEqual(["i1"]);
      await write({ removedEntries: ["o2", "unknown"] });
      expect(await search({ text: "life half" })).toMatchObject({
        entryIds: ["i1", "o1"],
        total: 2,
      });
    });

    it.each<[string, Partial<OfferSearch>]>([
      ["by a date, rising", { order: { key: "creationDate", isAscending: true } }],
      ["by a date, falling", { order: { key: "creationDate", isAscending: false } }],
      ["by relevance", withText({ key: "relevance", isAscending: false })],
      ["by a date with a text", withText({ key: "creationDate", isAscending: false })],
    ])("returns each unmoved offer once, page after page, %s", async (_name, search) => {
      const random = new Seeded(7);
      // Longer than the part of ids that Typesense orders by, and equal in that part.
      const idOf = (index: number) => `a-common-beginning-${String(index).padStart(4, "0")}`;
      const made = (index: number) =>
        offerOf(idOf(index), {
          title: random.pick(["Harbour", "Harbour Lights", "Harbour of Moonlit Lights"]),
          creationDateMs: random.pick([undefined, nowMs, nowMs - 1, nowMs - index]),
        });
      const indexes = Array.from({ length: 400 }, (_, index) => index);
      await replaceOffers(indexes.map(made));
      const stable = new Set(indexes.filter((index) => index % 4 > 0).map(idOf));
      const before = (
        await fixture.engine.listOffers({ ...anySearch, ...search, limit: 1000 })
      ).filter((id) => stable.has(id));
      const seen: string[] = [];
      let after: PagePosition | undefined;
      do {
        const page = await find({
          ...search,
          after,
          limit: 1 + random.below(30),
          aggregations: [],
        });
        seen.push(...page.offerIds);
        after = page.end;
        const written = Array.from({ length: 20 }, () => 4 * random.below(150));
        const removed = new Set(written.filter((index) => index % 3 === 0).map(idOf));
        await write({
          offers: written.map(made).filter(({ offerId }) => !removed.has(offerId)),
          removedOffers: [...removed],
        });
      } while (after !== undefined);
      expect(seen.filter((id) => stable.has(id))).toEqual(before);
      storedIds = indexes.concat(indexes.map((index) => 400 + index)).map(idOf);
    });

    it("continues after a page beyond the reach of page numbers", async () => {
      const ids = Array.from(
        { length: 10_250 },
        (_, index) => `deep-${String(index).padStart(5, "0")}`,
      );
      await replaceGeneration({ offers: ids.map((id) => offerOf(id)) });
      const search = { limit: 100, aggregations: [] };
      const first = await find({ ...search, offset: 9_950 });
      const second = await find({ ...search, after: first.end });
      const last = await find({ ...search, after: second.end });
      expect([first, second, last].flatMap(({ offerIds }) => offerIds)).toEqual(ids.slice(9_950));
      expect(last.end).toBeUndefined();
    });

    describeTextContract({ find, replaceOffers });
    if (needsPgvector) return;
    describeMeaningContract({
      engine: () => fixture.engine,
      replaceGeneration,
      write: async (writes) => void (await write(writes)),
    });
  });
}

function withText(order: OfferOrder): Partial<OfferSearch> {
  return { order, filter: { ...everything, text: "harbour" } };
}

const anySearch: OfferSearch = {
  filter: everything,
  order: { key: "creationDate", isAscending: false },
  region: defaultRegion,
  nowMs,
  offset: 0,
  limit: 100,
  aggregations: aggregationNames,
};
