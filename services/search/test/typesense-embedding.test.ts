import { OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import { memoryDatabase } from "@storefront/testkit";
import { startTypesenseDouble } from "@storefront/typesense-double";
import type { TypesenseDouble } from "@storefront/typesense-double";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTypesenseEngine } from "../src/index.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";

let double: TypesenseDouble;
let sources: Sources;
let running: RunningSearch;
beforeAll(async () => {
  double = await startTypesenseDouble({ apiKey: "k" });
  sources = await startSources(await memoryDatabase("schemas"));
  const model = { name: "ts/e5-small" };
  running = await startSearch(sources, { engine: createTypesenseEngine({ ...double, model }) });
  await eventually(() => isCaughtUp(sources.database));
});
afterAll(async () => {
  await running.close();
  await sources.close();
  await double.close();
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

it("lets the server embed offers and queries, and only what has changed", async () => {
  await sources.ingest([offer("calm", "Quiet harbour life"), offer("loud", "Tank battle arena")]);
  await eventually(isEmbedded);
  expect((await idsOf("a quiet harbour please"))[0]).toBe("calm");
  expect((await idsOf("arena of tanks in battle"))[0]).toBe("loud");
  const before = double.embeddedTexts.length;
  await sources.ingest([offer("calm", "Quiet harbour life", { refundType: "X" })]);
  await sources.ingest([offer("third", "Mountain railway")]);
  await eventually(isEmbedded);
  expect(double.embeddedTexts.slice(before)).toEqual(["Mountain railway"]);
});

it("counts over its matches what it is asked to, and nothing otherwise", async () => {
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

it("forgets at once what an offer meant, and what is gone", async () => {
  await sources.ingest([offer("turn", "Violet lighthouse"), offer("gone", "Violet lighthouse")]);
  await eventually(isEmbedded);
  expect((await idsOf("violet lighthouse")).slice(0, 2).toSorted()).toEqual(["gone", "turn"]);
  double.failEmbedding();
  await sources.ingest([
    offer("turn", "Something unlike it"),
    { kind: "offer", op: "delete", record: { id: "gone" } },
  ]);
  await eventually(() => isCaughtUp(sources.database));
  double.clearFaults();
  const [first] = await idsOf("violet lighthouse");
  expect(["turn", "gone"]).not.toContain(first);
  await eventually(isEmbedded);
  expect((await idsOf("something unlike it"))[0]).toBe("turn");
});

it("says so while the server's model fails; other searches go on, and the queue catches up", async () => {
  double.failEmbedding();
  await sources.ingest([offer("late", "Wandering lanterns")]);
  await eventually(() => isCaughtUp(sources.database));
  expect(await reasonOf("lanterns")).toBe(ErrorReason.EMBEDDING_FAILED);
  const query = { title: "lanterns" };
  const found = await running.search.searchOffers({ region: "US", query });
  expect(found.offerIds).toEqual(["late"]);
  expect(await isEmbedded()).toBe(false);
  double.clearFaults();
  await eventually(isEmbedded);
  expect((await idsOf("wandering lanterns"))[0]).toBe("late");
});

it("tells a server that is away from a model that fails", async () => {
  await double.goAway();
  expect(await reasonOf("lanterns")).toBe(ErrorReason.DEPENDENCY_UNAVAILABLE);
  await double.comeBack();
});

it("answers the same after a reindex, and to a text that is no word", async () => {
  const before = await idsOf("quiet wandering harbour");
  for await (const { phase } of running.index.reindex({}, { timeoutMs: 60_000 })) void phase;
  expect(await idsOf("quiet wandering harbour")).toEqual(before);
  expect(await reasonOf("*")).toBeUndefined();
  expect(await reasonOf('-harbour "x')).toBeUndefined();
});
