import { OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import {
  describeWithTypesense,
  memoryDatabase,
  startEmbeddingEndpoint,
  startHttpProxy,
} from "@storefront/testkit";
import type { EmbeddingEndpoint, HttpProxy } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTypesenseEngine } from "../src/index.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";

describeWithTypesense("a model that the server calls", (typesense) => {
  let endpoint: EmbeddingEndpoint;
  let proxy: HttpProxy;
  let sources: Sources;
  let running: RunningSearch;
  beforeAll(async () => {
    endpoint = await startEmbeddingEndpoint();
    const { url, ...address } = typesense.address();
    proxy = await startHttpProxy(url);
    sources = await startSources(await memoryDatabase("schemas"));
    const model = { name: "openai/small", apiKey: "e", url: endpoint.url };
    const engine = createTypesenseEngine({ ...address, urls: [proxy.url], model });
    running = await startSearch(sources, { engine });
    await eventually(() => isCaughtUp(sources.database));
  });
  afterAll(async () => {
    await running.close();
    await sources.close();
    await proxy.stop();
    await endpoint.close();
  });

  const offer = (id: string, title: string, more: object = {}): Line => ({
    kind: "offer",
    record: { id, title, ...more },
  });
  const idsOf = async (text: string) =>
    (await running.search.searchOffersByMeaning({ text })).matches.map(({ offerId }) => offerId);
  const reasonOf = async (text: string) =>
    await idsOf(text).then(
      () => undefined,
      (error: unknown) => errorInfoOf(error)?.reason,
    );
  const isEmbedded = async () => {
    const row = await sources.database.readOne<{ count: number }>(
      "select count(*)::int4 as count from search.embedding_task",
    );
    return (await isCaughtUp(sources.database)) && row?.count === 0;
  };

  /** Texts of documents and queries. */
  const embeddedTexts = () =>
    endpoint.requests.flatMap(({ input }) => input).map((text) => text.trim());

  it("lets the server embed offers and queries, and only changed texts", async () => {
    await sources.ingest([offer("calm", "Near the harbour"), offer("loud", "Tank battle arena")]);
    await eventually(isEmbedded);
    expect((await idsOf("nearby boats"))[0]).toBe("calm");
    expect((await idsOf("armies at war"))[0]).toBe("loud");
    const before = embeddedTexts().length;
    await sources.ingest([offer("calm", "Near the harbour", { refundType: "X" })]);
    await sources.ingest([offer("third", "Mountain railway")]);
    await eventually(isEmbedded);
    expect(embeddedTexts().slice(before)).toEqual(["Mountain railway"]);
  });

  it("counts over its matches only on request", async () => {
    const typed = (id: string, offerType: string): Line => ({
      kind: "offer",
      record: { id, title: "Copper windmill", offerType },
    });
    await sources.ingest([typed("f-a", "DLC"), typed("f-b", "DLC"), typed("f-c", "DEMO")]);
    await eventually(isEmbedded);
    const search = { text: "copper windmill", region: "US", query: { title: "Copper windmill" } };
    const aggregations = [OfferAggregation.OFFER_TYPES, OfferAggregation.PRICE_STATS];
    const found = await running.search.searchOffersByMeaning({ ...search, aggregations });
    expect(found.matches).toHaveLength(3);
    expect(found.aggregations).toMatchObject({
      offerTypes: [
        { key: "DLC", count: 2n },
        { key: "DEMO", count: 1n },
      ],
      tags: [],
      priceStats: { count: 0n },
    });
    const plain = await running.search.searchOffersByMeaning(search);
    expect(plain.aggregations).toBeUndefined();
  });

  it("ignores the vectors of changed and deleted offers at once", async () => {
    await sources.ingest([offer("turn", "Near lighthouse"), offer("gone", "Near lighthouse")]);
    await eventually(isEmbedded);
    const near = () => idsOf("nearby");
    expect(await near()).toEqual(expect.arrayContaining(["turn", "gone"]));
    await sources.ingest([
      offer("turn", "Something poisoned"),
      { kind: "offer", op: "delete", record: { id: "gone" } },
    ]);
    endpoint.poison = "poisoned";
    await eventually(() => isCaughtUp(sources.database));
    expect(await near()).not.toContain("turn");
    expect(await near()).not.toContain("gone");
    endpoint.poison = undefined;
    await eventually(isEmbedded);
    expect(await idsOf("armies at war")).toContain("turn");
  });

  it("reports a failing model of the server, serves other searches, and catches up later", async () => {
    endpoint.mood = "failing";
    await sources.ingest([offer("late", "Wandering lanterns")]);
    await eventually(() => isCaughtUp(sources.database));
    expect(await reasonOf("lanterns")).toBe(ErrorReason.EMBEDDING_FAILED);
    const query = { title: "lanterns" };
    const found = await running.search.searchOffers({ region: "US", query });
    expect(found.offerIds).toEqual(["late"]);
    expect(await isEmbedded()).toBe(false);
    endpoint.mood = "well";
    await eventually(isEmbedded);
    expect((await idsOf("wandering lanterns"))[0]).toBe("late");
  });

  it("distinguishes an unavailable server from a failing model", async () => {
    await proxy.refuse();
    expect(await reasonOf("lanterns")).toBe(ErrorReason.DEPENDENCY_UNAVAILABLE);
    await proxy.listen();
  });

  it("embeds all offers again after the server has lost the index", async () => {
    await sources.ingest([offer("again", "Near the dunes")]);
    await eventually(isEmbedded);
    await typesense.empty();
    await eventually(async () => (await reasonOf("nearby")) === undefined);
    expect(await idsOf("nearby")).toContain("again");
  });

  it("returns the same results after a reindex, and accepts a text of operators", async () => {
    const before = await idsOf("quiet wandering harbour");
    for await (const { phase } of running.index.reindex({}, { timeoutMs: 60_000 })) void phase;
    await eventually(isEmbedded);
    expect(await idsOf("quiet wandering harbour")).toEqual(before);
    expect(await reasonOf("*")).toBeUndefined();
    expect(await reasonOf('-harbour "x')).toBeUndefined();
  });
});
