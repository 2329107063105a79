import type { Database } from "@storefront/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asRegion } from "@storefront/domain/identifiers";
import { defaultRegion } from "@storefront/domain/regions";
import type { IndexWrites, OfferDocument } from "../src/engine/index-documents.ts";
import type { EntrySearch, OfferSearch } from "../src/engine/offer-search.ts";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { aggregationNames } from "../src/domain/offer-terms.ts";
import { describeMeaningContract } from "./meaning-contract.ts";
import { compareWithModel } from "./support/compare-with-model.ts";
import { generateDocuments, nowMs } from "./support/generated-documents.ts";
import { everything } from "../src/domain/offer-filter.ts";
import { offerOf } from "./support/offer-of.ts";
import { describeTextContract } from "./text-contract.ts";

/** An engine with a migrated database, whose transactions it is given. */
export interface EngineFixture {
  readonly engine: SearchEngine;
  readonly database: Database;
  close(): Promise<void>;
}

/** How an engine is compared with plain filtering. */
export interface ContractOptions {
  readonly searches: number;
  /** Whether it decides itself which of equally frequent values are the last of 250. Default false. */
  readonly choosesTies?: boolean;
}

const regions = ["US", "EURO", "BR2", "JP", "nowhere"].map(asRegion);

/** What every search engine guarantees. */
export function describeEngineContract(
  name: string,
  { searches, choosesTies = false }: ContractOptions,
  start: () => Promise<EngineFixture>,
): void {
  describe(`${name} as a search engine`, () => {
    let fixture: EngineFixture;
    let generation = 0;
    /** Offers of the live generation, as far as `hold` and `holdOnly` know. */
    let held: string[] = [];
    beforeAll(async () => {
      fixture = await start();
    });
    afterAll(() => fixture.close());

    /** A new live generation with these documents. */
    async function hold(...batches: IndexWrites[]): Promise<void> {
      const before = generation;
      held = batches.flatMap(({ offers = [] }) => offers.map(({ offerId }) => offerId));
      generation += 1;
      await fixture.engine.createGeneration(generation, { dimensions: 4 });
      for (const writes of batches) await write(writes);
      await fixture.engine.finishBuilding(generation);
      await activate(generation);
      if (before > 0) await fixture.engine.dropGeneration(before);
    }
    /** These offers in place of all others; the words of those remain known. */
    async function holdOnly(offers: readonly OfferDocument[]): Promise<void> {
      if (generation === 0) return await hold({ offers });
      const ids = offers.map(({ offerId }) => offerId);
      await write({ offers, removedOffers: held.filter((id) => !ids.includes(id)) });
      held = ids;
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
      await hold({ offers: documents.offers.slice(300) }, documents, {
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

    it("holds an offer as it was written last, and its prices whether they came first or not", async () => {
      const price = {
        region: defaultRegion,
        originalPrice: 900,
        discountPrice: 500,
        isLowest: true,
        lowestSinceMs: undefined,
      };
      const prices = [{ offerId: "a", prices: [{ ...price, updatedAtMs: nowMs }] }];
      await hold({ prices }, { offers: [offerOf("a", { offerType: "DLC" }), offerOf("b")] });
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

    it("answers from the generation that was activated last, whatever others hold", async () => {
      await hold({ offers: [offerOf("old")] });
      const next = generation + 1;
      await fixture.engine.createGeneration(next, { dimensions: 4 });
      await write({ offers: [offerOf("new")] }, next);
      expect((await find({})).offerIds).toEqual(["old"]);
      await activate(next);
      await fixture.engine.dropGeneration(generation);
      await fixture.engine.dropGeneration(generation);
      generation = next;
      held = ["new"];
      expect((await find({})).offerIds).toEqual(["new"]);
      expect(await fixture.engine.liveGeneration()).toBe(next);
    });

    it("answers with the aggregations that are asked for, and no others", async () => {
      await holdOnly([offerOf("a", { offerType: "DLC", technologies: ["Unity"] })]);
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

    it("counts without its own filter what its text and the other filters find", async () => {
      await holdOnly([
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
      await hold({
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

    describeTextContract({ find, holdOnly });
    describeMeaningContract({
      engine: () => fixture.engine,
      hold,
      write: async (writes) => void (await write(writes)),
    });
  });
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
