import { describe, expect, it } from "vitest";
import { asRegion } from "@storefront/domain/identifiers";
import { defaultRegion } from "@storefront/domain/regions";
import { Seeded } from "@storefront/testkit";
import type { IndexWrites } from "../src/engine/index-documents.ts";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { generateDocuments, nowMs } from "./support/generated-documents.ts";
import { everything } from "../src/domain/offer-filter.ts";
import { generateSearches } from "./support/generated-searches.ts";
import { Model } from "./support/model.ts";
import { offerOf } from "./support/offer-of.ts";

/** An engine and its live generation. */
export interface MeaningFixture {
  readonly engine: () => SearchEngine;
  /** Replaces it by one with these documents. */
  readonly replaceGeneration: (...batches: IndexWrites[]) => Promise<void>;
  readonly write: (writes: IndexWrites) => Promise<void>;
}

/** The guarantees of searches by meaning of every search engine that stores vectors. */
export function describeMeaningContract({
  engine,
  replaceGeneration,
  write,
}: MeaningFixture): void {
  describe("by meaning", () => {
    it("ranks by meaning, ignores stale vectors, and returns only existing offers", async () => {
      const vector = (...values: number[]) => Float32Array.from(values);
      await replaceGeneration({
        offers: [offerOf("near"), offerOf("far"), offerOf("stale")],
        vectors: [
          { offerId: "near", vector: vector(1, 0, 0, 0) },
          { offerId: "far", vector: vector(0.6, 0.8, 0, 0) },
          { offerId: "stale", vector: vector(1, 0, 0, 0) },
          { offerId: "unknown", vector: vector(1, 0, 0, 0) },
        ],
      });
      const ask = async () => {
        const vectorIn = async () => ({ vector: vector(1, 0, 0, 0) });
        const search = { text: "zzz", vectorIn, limit: 10 };
        return (await engine().searchByMeaning(search)).map(({ offerId }) => offerId);
      };
      expect((await ask()).toSorted()).toEqual(["far", "near", "stale"]);
      await write({ removedVectors: ["stale"] });
      expect(await ask()).toEqual(["near", "far"]);
    });

    it("scores by nearness and by words, more where they name an offer, equally on every engine", async () => {
      const offers = [
        offerOf("near"),
        offerOf("titled", { title: "The Quiet Orchard" }),
        offerOf("tagged", { tagIds: ["1"], tagNames: ["Orchard"] }),
        offerOf("described", { description: "Plums of a quiet orchard" }),
        ...Array.from({ length: 40 }, (_, n) => offerOf(`other ${n}`)),
      ];
      const vectors = [
        { offerId: "near", vector: Float32Array.from([1, 0, 0, 0]) },
        { offerId: "described", vector: Float32Array.from([0.6, 0.8, 0, 0]) },
        { offerId: "other 1", vector: Float32Array.from([-1, 0, 0, 0]) },
      ];
      await replaceGeneration({ offers, vectors });
      const hits = await engine().searchByMeaning({
        text: "like the quiet orchard",
        vectorIn: async () => ({ vector: Float32Array.from([1, 0, 0, 0]) }),
        limit: 10,
      });
      const scores = Object.fromEntries(hits.map(({ offerId, score }) => [offerId, score]));
      const rarity = { quiet: Math.log(1 + 44 / 2), orchard: Math.log(1 + 44 / 3) };
      const orchard = rarity.orchard / (rarity.quiet + rarity.orchard);
      expect(Object.keys(scores)).toEqual(["titled", "near", "described", "tagged"]);
      expect(scores["titled"]).toBeCloseTo(0.7, 4);
      expect(scores["near"]).toBeCloseTo(0.3, 4);
      expect(scores["described"]).toBeCloseTo(0.3 * 0.6 + 0.7 * 0.2 ** 1.5, 4);
      expect(scores["tagged"]).toBeCloseTo(0.7 * (0.6 * orchard) ** 1.5, 4);
    });

    it("separates two sets of vectors, and removes a stale one from both", async () => {
      const offers = ["a", "b", "c"].map((id) => offerOf(id));
      const near = Float32Array.from([1, 0, 0, 0]);
      const vectors = (...ids: string[]) => ids.map((offerId) => ({ offerId, vector: near }));
      await replaceGeneration(
        { offers, vectors: vectors("a", "c") },
        { vectors: vectors("b", "c"), vectorSet: 1 },
      );
      const ask = async (set: 0 | 1) => {
        const space = { set, training: BigInt(set) };
        const vectorIn = async () => ({ vector: near, space });
        const search = { text: "zzz", vectorIn, limit: 10 };
        return (await engine().searchByMeaning(search)).map(({ offerId }) => offerId);
      };
      expect((await ask(0)).toSorted()).toEqual(["a", "c"]);
      expect((await ask(1)).toSorted()).toEqual(["b", "c"]);
      await write({ removedVectors: ["c"] });
      expect(await ask(1)).toEqual(["b"]);
      expect(await ask(0)).toEqual(["a"]);
    });

    it("ranks only offers that pass a filter, up to the limit", async () => {
      const documents = generateDocuments(400, 3);
      const random = new Seeded(4);
      const vectorOf = new Map(documents.offers.map(({ offerId }) => [offerId, direction(random)]));
      const vectors = [...vectorOf].map(([offerId, vector]) => ({ offerId, vector }));
      await replaceGeneration({ ...documents, vectors });
      const model = new Model(documents);
      const searches = generateSearches(documents, {
        count: 60,
        seed: 5,
        regions: ["US", "EURO", "nowhere"].map(asRegion),
        nowMs,
      });
      let foundCount = 0;
      for (const { filter, region, limit, order } of searches) {
        const vector = direction(random);
        const among = { filter, region, nowMs };
        const page = { order, offset: 0, limit: documents.offers.length };
        const all = { ...among, ...page, aggregations: [] };
        const cosine = (id: string) => dot(vector, vectorOf.get(id) ?? new Float32Array());
        const expected = model
          .search(all)
          .offerIds.filter((id) => cosine(id) > 0)
          .toSorted((a, b) => cosine(b) - cosine(a))
          .slice(0, limit);
        const vectorIn = async () => ({ vector });
        const hits = await engine().searchByMeaning({ text: "zzz", vectorIn, limit, among });
        expect(hits.map(({ offerId }) => offerId)).toEqual(expected);
        if (expected.length > 0) foundCount += 1;
      }
      // Filters that exclude everything prove little.
      expect(foundCount).toBeGreaterThan(20);
    });

    it("scores offers that pass a filter as if there were no others", async () => {
      const dlc = { offerType: "DLC" };
      const offers = [
        offerOf("titled", { ...dlc, title: "The Quiet Orchard" }),
        offerOf("told", { ...dlc, title: "Plums", description: "Of a quiet orchard" }),
        offerOf("near", { ...dlc, title: "Pears" }),
      ];
      const others = Array.from({ length: 300 }, (_, n) =>
        offerOf(`other ${n}`, { title: `Orchard ${n}`, description: "quiet" }),
      );
      const near = { offerId: "near", vector: Float32Array.from([0.6, 0.8, 0, 0]) };
      const nearer = others.map(({ offerId }) => ({
        offerId,
        vector: Float32Array.from([1, 0, 0, 0]),
      }));
      const ask = async (filter = everything) =>
        await engine().searchByMeaning({
          text: "like the quiet orchard",
          vectorIn: async () => ({ vector: Float32Array.from([1, 0, 0, 0]) }),
          limit: 10,
          among: { filter, region: defaultRegion, nowMs },
        });
      await replaceGeneration({ offers, vectors: [near] });
      const alone = await ask();
      expect(alone.map(({ offerId }) => offerId)).toEqual(["titled", "near", "told"]);
      await write({ offers: others, vectors: nearer });
      expect(await ask({ ...everything, offerTypes: ["DLC"] })).toEqual(alone);
      const byText = await ask({ ...everything, offerTypes: ["DLC"], text: "quiet orchrd" });
      expect(byText.map(({ offerId }) => offerId).toSorted()).toEqual(["titled", "told"]);
      expect(await ask({ ...everything, offerTypes: ["NO_SUCH"] })).toEqual([]);
      // Its id has the same first 8 bytes as those of others.
      const alike = { ...near, offerId: "other 10 alike" };
      await write({ offers: [offerOf(alike.offerId, { title: "Quince" })], vectors: [alike] });
      const byTitle = await ask({ ...everything, text: "quince" });
      expect(byTitle.map(({ offerId }) => offerId)).toEqual([alike.offerId]);
    });
  });
}

function direction(random: Seeded): Float32Array {
  const values = Array.from({ length: 4 }, () => random.number() * 2 - 1);
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
