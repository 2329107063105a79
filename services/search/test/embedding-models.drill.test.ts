import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { lockWriters } from "@storefront/database";
import { errorInfoOf } from "@storefront/rpc";
import {
  describeOnEachMigratedDatabase,
  describeWithTypesense,
  startEmbeddingEndpoint,
} from "@storefront/testkit";
import type { EmbeddingEndpoint, TestDatabase, TestTypesense } from "@storefront/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createOpenaiEmbedder, createTypesenseEngine } from "../src/index.ts";
import type { Embedder } from "../src/index.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { RunningSearch, Sources } from "./support/search-fixture.ts";

describeOnEachMigratedDatabase(
  "replicas with different embedding models",
  (testDatabase) => {
    describeWithTypesense("on typesense", (typesense) => defineSuite(testDatabase, typesense));
  },
  ["postgres"],
);

function defineSuite(testDatabase: TestDatabase, typesense: TestTypesense): void {
  let endpoint: EmbeddingEndpoint;
  let sources: Sources;
  const running: RunningSearch[] = [];
  beforeEach(async () => {
    endpoint = await startEmbeddingEndpoint();
    sources = await startSources(testDatabase.options());
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.close()));
    await sources.database.transaction((tx) => tx.script("drop schema search cascade"));
    await sources.close();
    await typesense.empty();
    await endpoint.close();
  });

  const embedderOf = (model: string): Embedder =>
    createOpenaiEmbedder({ url: endpoint.url, apiKey: undefined, model, dimensions: 4 });
  const start = async (model: string) => {
    const engine = createTypesenseEngine(typesense.address());
    const replica = await startSearch(sources, { embedder: embedderOf(model), engine });
    running.push(replica);
    return replica;
  };
  const ask = async (replica: RunningSearch | undefined) =>
    await replica?.search.searchOffersByMeaning({ text: "nearby" }).then(
      ({ matches }) => matches.map(({ offerId }) => offerId),
      (error: unknown) => errorInfoOf(error)?.reason,
    );
  /** @param signature a pattern for `like` */
  const isLive = async (signature: string) =>
    (await sources.database.readOne(
      "select number from search.generation where is_live and signature like $1",
      [signature],
    )) !== undefined;

  const lastBuilt = async () =>
    (
      await sources.database.readOne<{ number: bigint }>(
        "select last_value as number from search.generation_number",
      )
    )?.number;
  const replicasWith = async (signature: string) =>
    (
      await sources.database.read(
        "select replica from search.index_replica where signature like $1",
        [signature],
      )
    ).length;

  it("refuse queries that need the other's vectors", async () => {
    await sources.ingest([{ kind: "offer", record: { id: "at first", title: "Near me" } }]);
    const small = await start("small");
    const found = expect.arrayContaining(["at first"]) as unknown;
    await eventually(() => isCaughtUp(sources.database));
    await expect.poll(() => ask(small), { timeout: 20_000 }).toEqual(found);
    let large: RunningSearch | undefined;
    await sources.database.transaction(async (tx) => {
      // Delays the index of the other model.
      await lockWriters(tx, "search");
      large = await start("large");
      expect(await ask(large)).toBe(ErrorReason.EMBEDDING_MODEL_DIFFERS);
      expect(await ask(small)).toEqual(found);
    });
    await eventually(() => isLive(`typesense % openai:large:4`));
    await expect.poll(() => ask(large), { timeout: 20_000 }).toEqual(found);
    expect(await ask(small)).toBe(ErrorReason.EMBEDDING_MODEL_DIFFERS);
  });

  it("do not replace the newer one's index when an older one restarts, until only that is left", async () => {
    await sources.ingest([{ kind: "offer", record: { id: "o", title: "Near me" } }]);
    const older = await start("small");
    await eventually(() => isLive(`typesense % openai:small:4`));
    const newer = await start("large");
    await eventually(() => isLive(`typesense % openai:large:4`));
    await expect.poll(() => ask(newer), { timeout: 20_000 }).toContain("o");
    await older.close();
    running.splice(running.indexOf(older), 1);
    const built = await lastBuilt();
    const restarted = await start("small");
    // Stored by the check that would start a build.
    await eventually(async () => (await replicasWith(`typesense % openai:small:4`)) === 1);
    await sources.ingest([{ kind: "offer", record: { id: "p", title: "Near me too" } }]);
    await expect.poll(() => ask(newer), { timeout: 20_000 }).toContain("p");
    expect(await ask(restarted)).toBe(ErrorReason.EMBEDDING_MODEL_DIFFERS);
    expect(await lastBuilt()).toBe(built);

    await Promise.all([newer.close(), restarted.close()]);
    running.length = 0;
    const last = await start("small");
    await expect.poll(() => ask(last), { timeout: 20_000 }).toContain("p");
  });
}
