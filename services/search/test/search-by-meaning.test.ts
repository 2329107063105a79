import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import { generateCatalogue } from "@storefront/sample-data";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBuiltinEmbedder, createOpenaiEmbedder } from "../src/index.ts";
import type { Embedder } from "../src/index.ts";
import { startEmbeddingEndpoint } from "./support/embedding-endpoint.ts";
import type { EmbeddingEndpoint } from "./support/embedding-endpoint.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";

describeOnEachDatabase(
  "search by meaning",
  (testDatabase) => {
    let sources: Sources;
    let running: RunningSearch | undefined;
    let endpoint: EmbeddingEndpoint;
    beforeEach(async () => {
      sources = await startSources(testDatabase.options());
      endpoint = await startEmbeddingEndpoint();
    });
    afterEach(async () => {
      await running?.close();
      running = undefined;
      // The suite has one database.
      const schemas = ["catalog", "pricing", "changelog", "search"];
      await sources.database.transaction((tx) =>
        tx.script(schemas.map((schema) => `drop schema if exists ${schema} cascade`).join(";")),
      );
      await sources.close();
      await endpoint.close();
    });

    const start = async (embedder: Embedder) => {
      const before = running;
      running = undefined;
      await before?.close();
      running = await startSearch(sources, { embedder });
      await eventually(() => isCaughtUp(sources.database));
      return running;
    };
    const remote = (model = "small") =>
      createOpenaiEmbedder({
        url: endpoint.url,
        apiKey: undefined,
        model,
        dimensions: 4,
        queryTimeoutMs: 300,
        batchTimeoutMs: 1_000,
      });
    const offer = (id: string, title: string): Line => ({ kind: "offer", record: { id, title } });
    const ask = async (text: string) => {
      const answer = await running?.search.searchOffersByMeaning({ text });
      return answer?.matches ?? [];
    };
    const idsOf = async (text: string) => (await ask(text)).map(({ offerId }) => offerId);
    const queueLength = async () => {
      const row = await sources.database.readOne<{ count: number }>(
        "select count(*)::int4 as count from search.embedding_queue",
      );
      return row?.count ?? 0;
    };
    const isEmbedded = async () =>
      (await isCaughtUp(sources.database)) && (await queueLength()) === 0;

    describe("by an endpoint", () => {
      it("embeds what is written, and forgets at once what was", async () => {
        await start(remote());
        await sources.ingest([offer("a", "Near me"), offer("b", "Elsewhere")]);
        await eventually(isEmbedded);
        expect(await idsOf("nearby")).toEqual(["a"]);
        endpoint.mood = "failing";
        await sources.ingest([offer("a", "Gone off")]);
        await eventually(() => isCaughtUp(sources.database));
        endpoint.mood = "well";
        expect(await idsOf("nearby")).toEqual([]);
        await eventually(isEmbedded);
        expect((await idsOf("something")).toSorted()).toEqual(["a", "b"]);
      });

      it("says so when the backend fails, and keeps the index whole until it is back", async () => {
        await start(remote());
        endpoint.mood = "failing";
        await sources.ingest([offer("a", "Near me")]);
        await eventually(() => isCaughtUp(sources.database));
        await expect(ask("nearby").catch(reasonOf)).resolves.toBe(ErrorReason.EMBEDDING_FAILED);
        endpoint.mood = "never";
        await expect(ask("nearby").catch(reasonOf)).resolves.toBe(ErrorReason.EMBEDDING_FAILED);
        endpoint.mood = "short";
        await expect(ask("nearby").catch(reasonOf)).resolves.toBe(ErrorReason.EMBEDDING_FAILED);
        const found = await running?.search.searchOffers({ region: "US", query: { title: "me" } });
        expect(found?.offerIds).toEqual(["a"]);
        endpoint.mood = "well";
        await eventually(isEmbedded);
        expect(await idsOf("nearby")).toEqual(["a"]);
      });

      it("builds an index while the backend is away, and embeds after a restart", async () => {
        await start(remote());
        await sources.ingest([offer("a", "Near me"), offer("b", "Elsewhere")]);
        await eventually(isEmbedded);
        endpoint.mood = "failing";
        for await (const { phase } of running?.index.reindex({}) ?? []) void phase;
        expect(await queueLength()).toBe(2);
        const restarted = start(remote());
        endpoint.mood = "well";
        await restarted;
        await eventually(isEmbedded);
        expect(await idsOf("nearby")).toEqual(["a"]);
      });

      it("embeds the others when the backend refuses one", async () => {
        endpoint.poison = "cursed";
        await start(remote());
        await sources.ingest([
          offer("a", "Near me"),
          offer("x", "The cursed one"),
          offer("b", "Elsewhere"),
        ]);
        await eventually(
          async () => (await isCaughtUp(sources.database)) && (await queueLength()) === 1,
        );
        expect(await idsOf("nearby")).toEqual(["a"]);
      });

      it("makes a new generation for another model", async () => {
        await start(remote());
        await sources.ingest([offer("a", "Near me")]);
        await eventually(isEmbedded);
        await start(remote("large"));
        await eventually(async () => {
          const row = await sources.database.readOne<{ signature: string; count: number }>(
            "select min(signature) as signature, count(*)::int4 as count from search.generation",
          );
          return row?.count === 1 && row.signature.includes("large");
        });
        expect(endpoint.requests.at(-1)?.model).toBe("large");
        expect(await idsOf("nearby")).toEqual(["a"]);
      });
    });

    describe("by the catalogue's own words", () => {
      const lines: Line[] = [
        ...generateCatalogue({ offers: 200, seed: 8, now: new Date("2023-12-01") }),
      ].filter(({ kind }) => kind === "offer");
      const trainedOffers = async () => {
        const row = await sources.database.readOne<{ trained_offers: number }>(
          "select trained_offers from search.generation where is_live",
        );
        return row?.trained_offers;
      };

      it("learns from the catalogue when it has come, and gives scores from 0 to 1, best first", async () => {
        await start(createBuiltinEmbedder());
        await sources.ingest(lines);
        await eventually(async () => (await trainedOffers()) === 200 && (await isEmbedded()));
        const matches = await ask("raise goats and harvest pumpkins");
        expect(matches).toHaveLength(10);
        const scores = matches.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
      });

      it("answers the same after a reindex and after a restart", async () => {
        await start(createBuiltinEmbedder());
        await sources.ingest(lines);
        await eventually(async () => (await trainedOffers()) === 200 && (await isEmbedded()));
        const before = await ask("drive fast around corners");
        for await (const { phase } of running?.index.reindex({}) ?? []) void phase;
        expect(await ask("drive fast around corners")).toEqual(before);
        await start(createBuiltinEmbedder());
        expect(await ask("drive fast around corners")).toEqual(before);
      });
    });

    function reasonOf(error: unknown): ErrorReason | undefined {
      return errorInfoOf(error)?.reason;
    }
  },
  ["pglite", "postgres"],
);
