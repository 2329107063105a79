import { OfferSort, OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf, fieldViolationsOf } from "@storefront/rpc";
import { generateCatalogue } from "@storefront/sample-data";
import { memoryDatabase, startEmbeddingEndpoint } from "@storefront/testkit";
import type { EmbeddingEndpoint } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createBuiltinEmbedder, createOpenaiEmbedder } from "../src/index.ts";
import type { Embedder } from "../src/index.ts";
import {
  eventually,
  isCaughtUp,
  isIndexed,
  startSearch,
  startSources,
} from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";

// Test servers lack pgvector.
describe("search by meaning", () => {
  let sources: Sources;
  let running: RunningSearch | undefined;
  let endpoint: EmbeddingEndpoint;
  beforeAll(async () => {
    sources = await startSources(await memoryDatabase("schemas"));
    endpoint = await startEmbeddingEndpoint();
  });
  afterAll(async () => {
    await running?.close();
    await sources.close();
    await endpoint.close();
  });

  const start = async (embedder: Embedder) => {
    const before = running;
    running = undefined;
    await before?.close();
    running = await startSearch(sources, { embedder });
  };
  const offer = (id: string, title: string): Line => ({ kind: "offer", record: { id, title } });
  const ask = async (text: string) => {
    const response = await running?.search.searchOffersByMeaning({ text });
    return response?.matches ?? [];
  };
  const reindex = async () => {
    for await (const { phase } of running?.index.reindex({}) ?? []) void phase;
  };
  const queueLength = async () => {
    const row = await sources.database.readOne<{ count: number }>(
      "select count(*)::int4 as count from search.embedding_task",
    );
    return row?.count ?? 0;
  };
  const isEmbedded = async () =>
    (await isCaughtUp(sources.database)) &&
    (await queueLength()) === 0 &&
    (await isIndexed(sources.database));
  const generation = async () =>
    await sources.database.readOne<{ signature: string; trained_offers: number }>(
      "select signature, trained_offers from search.generation where is_live",
    );
  /** Whether the index is for this model. */
  const isOf = async (model: string) =>
    (await isCaughtUp(sources.database)) &&
    (await generation())?.signature.includes(model) === true;
  const reasonOf = (error: unknown) => errorInfoOf(error)?.reason;

  describe("by an endpoint", () => {
    const remote = (model = "small") =>
      createOpenaiEmbedder({
        url: endpoint.url,
        apiKey: undefined,
        model,
        dimensions: 4,
        queryTimeoutMs: 1_500,
        batchTimeoutMs: 1_500,
      });
    /** Ids of near offers, of this test only. */
    const idsOf = async (text: string, prefix: string) =>
      (await ask(text)).map(({ offerId }) => offerId).filter((id) => id.startsWith(prefix));
    beforeAll(async () => {
      await start(remote());
      await eventually(() => isOf("small"));
    });
    beforeEach(() => {
      endpoint.mood = "well";
      endpoint.poison = undefined;
    });

    it("embeds new texts, and ignores the vectors of former ones at once", async () => {
      await sources.ingest([offer("w-a", "Near me"), offer("w-b", "Elsewhere")]);
      await eventually(isEmbedded);
      expect(await idsOf("nearby", "w-")).toEqual(["w-a"]);
      endpoint.mood = "failing";
      await sources.ingest([offer("w-a", "Gone off")]);
      await eventually(() => isCaughtUp(sources.database));
      endpoint.mood = "well";
      expect(await idsOf("nearby", "w-")).toEqual([]);
      await eventually(isEmbedded);
      expect((await idsOf("something", "w-")).toSorted()).toEqual(["w-a", "w-b"]);
    });

    it("embeds the long description", async () => {
      const record = { id: "l-a", title: "Elsewhere", longDescription: "It is near." };
      await sources.ingest([{ kind: "offer", record }]);
      await eventually(isEmbedded);
      expect(await idsOf("nearby", "l-")).toEqual(["l-a"]);
    });

    it("ranks the results of a query whatever its sort, counts on request, and reports invalid queries", async () => {
      const inType = (id: string, offerType: string): Line => ({
        kind: "offer",
        record: { id, title: "Near me", offerType },
      });
      await sources.ingest([inType("q-a", "DLC"), inType("q-b", "DEMO"), inType("q-c", "DLC")]);
      await eventually(isEmbedded);
      const query = { offerTypes: ["DLC"], sort: OfferSort.RELEASE_DATE };
      const find = running?.search.searchOffersByMeaning;
      const found = await find?.({ text: "nearby", query, region: "US" });
      expect(found?.matches.map(({ offerId }) => offerId).toSorted()).toEqual(["q-a", "q-c"]);
      expect(found?.filtered).toBe(true);
      expect(found?.aggregations).toBeUndefined();
      const aggregations = [OfferAggregation.OFFER_TYPES, OfferAggregation.PRICE_STATS];
      const counted = await find?.({ text: "nearby", query, region: "US", aggregations });
      const offerTypes = [{ key: "DLC", count: 2n }];
      expect(counted?.matches).toEqual(found?.matches);
      expect(counted?.aggregations).toMatchObject({
        offerTypes,
        tags: [],
        priceStats: { count: 0n },
      });
      expect(await find?.({ text: "nearby" })).toMatchObject({ filtered: false });
      const bad = { text: "nearby", query: { tagIds: ["\0"] }, region: "" };
      const error: unknown = await find?.(bad).catch((reason: unknown) => reason);
      const fields = fieldViolationsOf(error).map(({ field }) => field);
      expect(fields).toEqual(["query.tag_ids[0]", "region"]);
    });

    it("embeds an offer again only when its text has changed", async () => {
      const record = { id: "u-a", title: "Near and unchanged" };
      await sources.ingest([{ kind: "offer", record }]);
      await eventually(isEmbedded);
      const before = endpoint.requests.length;
      const giveaway = { id: "u-g", offerId: "u-a", startDate: "2024-01-01T00:00:00Z" };
      await sources.ingest([
        { kind: "offer", record: { ...record, refundType: "SELF_REFUNDABLE" } },
        { kind: "giveaway", record: giveaway },
      ]);
      await eventually(() => isCaughtUp(sources.database));
      // If it were queued, it would precede later writes.
      await sources.ingest([offer("u-b", "Written later")]);
      await eventually(isEmbedded);
      const asked = endpoint.requests.slice(before).flatMap(({ input }) => input);
      expect(asked).toEqual(["Written later"]);
      expect(await idsOf("nearby", "u-")).toEqual(["u-a"]);
      await sources.ingest([
        { kind: "offer", op: "delete", record: { id: "u-a" } },
        { kind: "offer", record },
      ]);
      await eventually(isEmbedded);
      expect(await idsOf("nearby", "u-")).toEqual(["u-a"]);
    });

    it("reports a failing backend, serves other searches, and catches up later", async () => {
      endpoint.mood = "failing";
      await sources.ingest([offer("f-a", "Near Failsworth")]);
      await eventually(() => isCaughtUp(sources.database));
      for (const mood of ["failing", "never", "short"] as const) {
        endpoint.mood = mood;
        await expect(ask("nearby").catch(reasonOf)).resolves.toBe(ErrorReason.EMBEDDING_FAILED);
      }
      const query = { title: "failsworth" };
      const found = await running?.search.searchOffers({ region: "US", query });
      expect(found?.offerIds).toEqual(["f-a"]);
      expect(await queueLength()).toBe(1);
      endpoint.mood = "well";
      await eventually(isEmbedded);
      expect(await idsOf("nearby", "f-")).toEqual(["f-a"]);
    });

    it("embeds the other offers when the backend refuses one", async () => {
      endpoint.poison = "cursed";
      await sources.ingest([
        offer("p-a", "Near me"),
        offer("p-x", "The cursed one"),
        offer("p-b", "Elsewhere"),
      ]);
      await eventually(
        async () => (await isCaughtUp(sources.database)) && (await queueLength()) === 1,
      );
      expect(await idsOf("nearby", "p-")).toEqual(["p-a"]);
      endpoint.poison = undefined;
      await eventually(isEmbedded);
    });

    it("builds an index while the backend is unavailable, and embeds after a restart", async () => {
      await sources.ingest([offer("r-a", "Near me")]);
      await eventually(isEmbedded);
      endpoint.mood = "failing";
      await reindex();
      expect(await queueLength()).toBeGreaterThan(1);
      const restarted = start(remote());
      endpoint.mood = "well";
      await restarted;
      await eventually(isEmbedded);
      expect(await idsOf("nearby", "r-")).toEqual(["r-a"]);
    });

    it("builds a new generation for another model", async () => {
      await sources.ingest([offer("m-a", "Near me")]);
      await eventually(isEmbedded);
      await start(remote("large"));
      await eventually(() => isOf("large"));
      expect(endpoint.requests.at(-1)?.model).toBe("large");
      expect(await idsOf("nearby", "m-")).toEqual(["m-a"]);
    });
  });

  describe("by the catalogue's own words", () => {
    const lines: Line[] = [
      ...generateCatalogue({ offers: 200, seed: 8, now: new Date("2023-12-01") }),
    ].filter(({ kind }) => kind === "offer");
    const isTrained = async () =>
      (await isEmbedded()) && ((await generation())?.trained_offers ?? 0) >= 200;
    beforeAll(async () => {
      await start(createBuiltinEmbedder());
      await eventually(() => isOf("builtin"));
    });

    it("trains on an imported catalogue while it serves searches, and returns scores from 0 to 1", async () => {
      const resultCounts: number[] = [];
      const trained = new AbortController();
      await sources.ingest(lines);
      const asking = (async () => {
        while (!trained.signal.aborted) resultCounts.push((await ask("goats")).length);
      })();
      await eventually(isTrained);
      trained.abort();
      await asking;
      const matches = await ask("raise goats and harvest pumpkins");
      expect(matches).toHaveLength(10);
      const scores = matches.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    });

    it("returns the same results after a reindex and after a restart", async () => {
      await eventually(isTrained);
      await reindex();
      const before = await ask("drive fast around corners");
      await reindex();
      expect(await ask("drive fast around corners")).toEqual(before);
      await start(createBuiltinEmbedder());
      expect(await ask("drive fast around corners")).toEqual(before);
    });
  });
});
