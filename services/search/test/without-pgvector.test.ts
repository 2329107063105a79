import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { openDatabase } from "@storefront/database";
import { errorInfoOf } from "@storefront/rpc";
import { memoryDatabase, startEmbeddingEndpoint } from "@storefront/testkit";
import { expect, it } from "vitest";
import { createOpenaiEmbedder, createPostgresEngine } from "../src/index.ts";
import { offerOf } from "./support/offer-of.ts";
import {
  eventually,
  isCaughtUp,
  isIndexed,
  startSearch,
  startSources,
} from "./support/search-fixture.ts";

const right = Float32Array.from([1, 0]);

it("refuses searches by meaning and embeds nothing with pgvector 0.7, until a start with a newer one", async () => {
  const endpoint = await startEmbeddingEndpoint();
  const sources = await startSources(await memoryDatabase("schemas"));
  const { database } = sources;
  const start = () => {
    const model = { url: endpoint.url, apiKey: undefined, model: "small", dimensions: 4 };
    return startSearch(sources, { embedder: createOpenaiEmbedder(model) });
  };
  const setVersion = (version: string) =>
    database.write("update pg_extension set extversion = $1 where extname = 'vector'", [version]);
  await database.write("create extension vector");
  await setVersion("0.7.4");
  let running = await start();
  try {
    await sources.ingest([{ kind: "offer", record: { id: "a", title: "Near me" } }]);
    await eventually(() => isCaughtUp(database));
    const error: unknown = await running.search
      .searchOffersByMeaning({ text: "nearby" })
      .catch((reason: unknown) => reason);
    expect(errorInfoOf(error)?.reason).toBe(ErrorReason.EMBEDDING_NOT_CONFIGURED);
    expect(String(error)).toContain("pgvector 0.8 or newer");
    const query = { title: "near" };
    expect((await running.search.searchOffers({ region: "US", query })).offerIds).toEqual(["a"]);
    expect(await database.read("select from search.embedding_task")).toEqual([]);
    expect(endpoint.requests).toEqual([]);
    await running.close();
    await setVersion("0.8.0");
    running = await start();
    await eventually(() => isIndexed(database));
    const { matches } = await running.search.searchOffersByMeaning({ text: "nearby" });
    expect(matches.map(({ offerId }) => offerId)).toEqual(["a"]);
  } finally {
    await running.close();
    await sources.close();
    await endpoint.close();
  }
});

it("refuses them where it may not install pgvector, and after pgvector is dropped, until the next start", async () => {
  const warnings: string[] = [];
  const logger = { warn: (_: object, message: string) => void warnings.push(message) };
  const database = await openDatabase(await memoryDatabase("schemas"));
  const find = async (engine = createPostgresEngine(database)) => {
    const search = { text: "zzz", vectorIn: async () => ({ vector: right }), limit: 10 };
    return (await engine.searchByMeaning(search)).map(({ offerId }) => offerId);
  };
  const refusal = { reason: ErrorReason.EMBEDDING_NOT_CONFIGURED };
  try {
    await database.write("create role plain");
    await database.write("set role plain");
    const refused = createPostgresEngine(database, logger);
    expect(await refused.storesVectors()).toBe(false);
    await expect(find(refused)).rejects.toMatchObject(refusal);
    expect(warnings).toEqual([expect.stringContaining("pgvector 0.8 or newer")]);
    await database.write("reset role");

    const engine = createPostgresEngine(database, logger);
    await engine.createGeneration(1, { dimensions: 2 });
    await database.transaction(async (tx) => {
      const vectors = [{ offerId: "a", vector: right }];
      await engine.write(tx, 1, { offers: [offerOf("a")], vectors });
      await engine.activate(tx, 1);
    });
    await engine.indexVectors(1, 0);
    expect(await find(engine)).toEqual(["a"]);
    await database.write("drop extension vector cascade");
    await expect(find(engine)).rejects.toMatchObject(refusal);
    const next = createPostgresEngine(database);
    await next.indexVectors(1, 0);
    expect(await find(next)).toEqual(["a"]);
  } finally {
    await database.close();
  }
});
