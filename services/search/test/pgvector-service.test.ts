import { memoryDatabase, startEmbeddingEndpoint } from "@storefront/testkit";
import { expect, it } from "vitest";
import { createOpenaiEmbedder } from "../src/index.ts";
import { eventually, startSearch, startSources } from "./support/search-fixture.ts";

it("indexes by pgvector what is written, and a new generation before it answers", async () => {
  const endpoint = await startEmbeddingEndpoint();
  const sources = await startSources(await memoryDatabase("schemas"));
  const timeouts = { queryTimeoutMs: 1_500, batchTimeoutMs: 1_500 };
  const model = { url: endpoint.url, apiKey: undefined, model: "small", dimensions: 4 };
  const running = await startSearch(sources, {
    embedder: createOpenaiEmbedder({ ...model, ...timeouts }),
  });
  try {
    const { database } = sources;
    const live = async () => {
      const row = await database.readOne<{ number: number }>(
        "select number from search.generation where is_live",
      );
      return row?.number;
    };
    const indexed = async () => {
      const near = `search.g${await live()}_near_0`;
      const name = await database.readOne("select where to_regclass($1) is not null", [
        `${near}_index`,
      ]);
      if (name === undefined) return undefined;
      const rows = await database.read(`select from ${near} where near is not null`);
      return rows.length;
    };
    const offers = ["a", "b"].map((id) => ({ kind: "offer", record: { id, title: "Near me" } }));
    await sources.ingest(offers);
    await eventually(async () => (await indexed()) === 2);
    await sources.ingest([{ kind: "offer", record: { id: "c", title: "Nearby" } }]);
    await eventually(async () => (await indexed()) === 3);
    const before = await live();
    for await (const { phase } of running.index.reindex({})) void phase;
    expect(await live()).not.toBe(before);
    expect(await indexed()).toBe(3);
  } finally {
    await running.close();
    await sources.close();
    await endpoint.close();
  }
});
