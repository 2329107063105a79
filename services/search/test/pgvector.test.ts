import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { defaultRegion } from "@storefront/domain/regions";
import { memoryDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything } from "../src/domain/offer-filter.ts";
import { vectorBytes } from "../src/engine/postgres/vector-bytes.ts";
import type { IndexWrites } from "../src/engine/index-documents.ts";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { createPostgresEngine } from "../src/index.ts";
import { describeMeaningContract } from "./meaning-contract.ts";
import { nowMs } from "./support/generated-documents.ts";
import { offerOf } from "./support/offer-of.ts";
import { withStoredPrices } from "./support/stored-prices.ts";

/** The engine as on PGlite and as on a server, whose indexes of many vectors differ. */
describe.each(["pglite", "postgres"] as const)("by meaning as on %s", (driver) => {
  let database: Database;
  let engine: SearchEngine;
  let generation = 0;
  beforeAll(async () => {
    database = { ...(await openDatabase(await memoryDatabase("schemas"))), driver };
    engine = withStoredPrices(createPostgresEngine(database), database);
  });
  afterAll(async () => {
    await engine.close();
    await database.close();
  });

  const write = (writes: IndexWrites) =>
    database.transaction((tx) => engine.write(tx, generation, writes));
  const index = async () => {
    for (const set of [0, 1] as const) await engine.indexVectors(generation, set);
  };
  const replaceGeneration = async (...batches: IndexWrites[]) => {
    generation += 1;
    await engine.createGeneration(generation, { dimensions: undefined });
    for (const writes of batches) await write(writes);
    await index();
    await database.transaction((tx) => engine.activate(tx, generation));
    if (generation > 1) await engine.dropGeneration(generation - 1);
  };
  const right = Float32Array.from([1, 0]);
  const vectorsOf = (...ids: string[]) => ids.map((offerId) => ({ offerId, vector: right }));
  const ask = async (offerTypes: readonly string[] = []) => {
    const among = { filter: { ...everything, offerTypes }, region: defaultRegion, nowMs };
    const search = { text: "zzz", vectorIn: async () => ({ vector: right }), limit: 20 };
    const hits = await engine.searchByMeaning(
      offerTypes.length === 0 ? search : { ...search, among },
    );
    return hits.map(({ offerId }) => offerId).toSorted();
  };

  describeMeaningContract({
    engine: () => engine,
    replaceGeneration,
    write: async (writes) => {
      await write(writes);
      await index();
    },
  });

  it("finds what release 0.2.0 has written, once it is indexed, and no removed vector", async () => {
    const offers = ["a", "b", "c"].map((id) => offerOf(id));
    await replaceGeneration({ offers, vectors: vectorsOf("a", "b") });
    await database.write(
      `insert into search.g${generation}_vector_0 (number, version, vector)
        select number, nextval('search.vector_version'), $2 from search.offer_number where offer_id = $1`,
      ["c", vectorBytes(right)],
    );
    await write({ removedVectors: ["b"] });
    expect(await ask()).toEqual(["a"]);
    await index();
    expect(await ask()).toEqual(["a", "c"]);
  });

  it("finds enough offers by a broad filter, although others are nearer", async () => {
    const [far, near] = [Float32Array.from([0.6, 0.8]), right];
    const numbered = (count: number, offerType: string) =>
      Array.from({ length: count }, (_, n) => offerOf(`${offerType} ${n}`, { offerType }));
    const dlcs = numbered(5_001, "DLC");
    const demos = numbered(3_000, "DEMO");
    await replaceGeneration({
      offers: [...dlcs, ...demos],
      vectors: [
        ...dlcs.map(({ offerId }) => ({ offerId, vector: far })),
        ...demos.map(({ offerId }) => ({ offerId, vector: near })),
      ],
    });
    expect(await ask()).toHaveLength(20);
    const found = await ask(["DLC"]);
    expect(found).toHaveLength(20);
    expect(found.every((id) => id.startsWith("DLC"))).toBe(true);
  });

  it("compares vectors that are too long for an index", async () => {
    const long = new Float32Array(4_001).fill(1 / Math.sqrt(4_001));
    await replaceGeneration({
      offers: [offerOf("long")],
      vectors: [{ offerId: "long", vector: long }],
    });
    const vectorIn = async () => ({ vector: long });
    const hits = await engine.searchByMeaning({ text: "zzz", vectorIn, limit: 5 });
    expect(hits.map(({ offerId }) => offerId)).toEqual(["long"]);
  });

  it("drops the copies of a generation, also of one that release 0.2.0 has dropped", async () => {
    await replaceGeneration({ offers: [offerOf("a")], vectors: vectorsOf("a") });
    for (const set of [0, 1])
      await database.write(`drop table search.g${generation}_vector_${set}`);
    await replaceGeneration({ offers: [offerOf("a")], vectors: vectorsOf("a") });
    const copies = await database.read<{ name: string }>(
      "select tablename as name from pg_tables where tablename like '%\\_near\\_%' order by 1",
    );
    expect(copies).toEqual([0, 1].map((set) => ({ name: `g${generation}_near_${set}` })));
  });
});
