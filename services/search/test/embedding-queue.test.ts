import { describeOnEachMigratedDatabase, startEmbeddingEndpoint } from "@storefront/testkit";
import type { EmbeddingEndpoint } from "@storefront/testkit";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createOpenaiEmbedder, createPostgresEngine } from "../src/index.ts";
import type { SearchEngine } from "../src/index.ts";
import { oldestClaimAgeSeconds } from "../src/store/embedding-claims.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";

/** Embeds as with pgvector, which a server may lack: the queue does not depend on it. */
const withoutVectorIndex = (engine: SearchEngine): SearchEngine => ({
  ...engine,
  storesVectors: async () => true,
  indexVectors: async () => {},
});

describeOnEachMigratedDatabase(
  "three replicas that embed",
  (testDatabase) => {
    let endpoint: EmbeddingEndpoint;
    let sources: Sources;
    const running: RunningSearch[] = [];
    beforeEach(async () => {
      endpoint = await startEmbeddingEndpoint();
      sources = await startSources(testDatabase.options());
    });
    afterEach(async () => {
      await stop();
      for (const schema of ["catalog", "pricing", "changelog", "search"]) {
        await sources.database.transaction((tx) => tx.script(`drop schema ${schema} cascade`));
      }
      await sources.close();
      await endpoint.close();
    });

    const stop = async () => {
      await Promise.all(running.splice(0).map((each) => each.close()));
    };
    const start = async (count: number) => {
      const model = { url: endpoint.url, apiKey: undefined, model: "small", dimensions: 4 };
      const started = Array.from({ length: count }, () =>
        startSearch(sources, {
          embedder: createOpenaiEmbedder(model),
          engine: withoutVectorIndex(createPostgresEngine(sources.database)),
        }),
      );
      running.push(...(await Promise.all(started)));
    };
    const offer = (id: string, title: string): Line => ({ kind: "offer", record: { id, title } });
    const offers = (name: string, count: number): Line[] =>
      Array.from({ length: count }, (_, n) => offer(`${name}-${n}`, `Title ${n} of ${name}`));
    const titlesOf = (lines: readonly Line[]) =>
      lines.map(({ record }) => ("title" in record ? String(record.title) : ""));
    const sentSince = (request: number) =>
      endpoint.requests.slice(request).flatMap(({ input }) => input);
    const sent = () => sentSince(0);
    const queued = async (condition = "true") => {
      const row = await sources.database.readOne<{ count: number }>(
        `select count(*)::int4 as count from search.embedding_task where ${condition}`,
      );
      return row?.count;
    };
    const isEmbedded = async () => (await isCaughtUp(sources.database)) && (await queued()) === 0;

    it("send each text of 1,000 new offers once, in full batches", async () => {
      await start(3);
      await eventually(() => isCaughtUp(sources.database));
      const written = offers("new", 1_000);
      await sources.ingest(written);
      await eventually(isEmbedded, { limitMs: 60_000 });
      expect(sent().toSorted()).toEqual(titlesOf(written).toSorted());
      // 16 would suffice if all came at once.
      expect(endpoint.requests.length).toBeLessThan(32);
    });

    it("send each text once when they start on an existing catalogue that continues to change", async () => {
      const there = offers("there", 600);
      await sources.ingest(there);
      const starting = start(3);
      const more = [...offers("more", 200), offer("there-7", "Another title")];
      await sources.ingest(more);
      await starting;
      await eventually(isEmbedded, { limitMs: 60_000 });
      const texts = [...titlesOf(there), ...titlesOf(more)];
      // The earlier text may never have been sent.
      const others = sent().filter((text) => text !== "Title 7 of there");
      expect(others.toSorted()).toEqual(
        texts.filter((text) => text !== "Title 7 of there").toSorted(),
      );
      expect(sent().length - others.length).toBeLessThan(2);
    });

    it("embed what a killed one has claimed, once its claim expires", async () => {
      await start(1);
      endpoint.mood = "failing";
      await sources.ingest([offer("claimed", "Near and claimed"), offer("free", "Near and free")]);
      await eventually(async () => (await isCaughtUp(sources.database)) && (await queued()) === 2);
      await stop();
      await sources.database.write(
        `update search.embedding_task set holder = $1, claimed_until = now() + interval '3 seconds'
          where offer_id = 'claimed'`,
        [randomUUID()],
      );
      expect(await oldestClaimAgeSeconds(sources.database)).toBeGreaterThan(50);
      const before = endpoint.requests.length;
      endpoint.mood = "well";
      await start(3);
      await eventually(async () => (await queued()) === 1);
      expect(sentSince(before)).toEqual(["Near and free"]);
      await eventually(isEmbedded);
      expect(sentSince(before)).toEqual(["Near and free", "Near and claimed"]);
    });

    it("release claims while the endpoint fails, and lose none", async () => {
      await start(3);
      await eventually(() => isCaughtUp(sources.database));
      endpoint.mood = "failing";
      const written = offers("failed", 100);
      await sources.ingest(written);
      await eventually(async () => endpoint.requests.length > 3);
      expect(await queued()).toBe(100);
      await eventually(async () => (await queued("holder is not null")) === 0);
      const before = endpoint.requests.length;
      endpoint.mood = "well";
      await eventually(isEmbedded);
      expect(new Set(sentSince(before))).toEqual(new Set(titlesOf(written)));
    });
  },
  ["pglite", "postgres"],
);
