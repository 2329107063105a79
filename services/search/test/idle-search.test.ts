import { ingestToken, silentLogger } from "@storefront/service-process/testing";
import type { Database } from "@storefront/database";
import { createTransport } from "@storefront/rpc";
import type { ClosableTransport } from "@storefront/rpc";
import type { ServiceParts } from "@storefront/service-process";
import { memoryDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createBuiltinEmbedder, createSearchService } from "../src/index.ts";
import { eventually, isCaughtUp, startSources } from "./support/search-fixture.ts";
import type { Sources } from "./support/search-fixture.ts";

let sources: Sources;
let followed: Record<"catalog" | "pricing" | "reviews" | "changelog", ClosableTransport>;
let replicas: ServiceParts[];
/** Time of the last access of a replica to its database. */
let accessedAtMs = 0;
beforeAll(async () => {
  sources = await startSources(await memoryDatabase("schemas"));
  const { catalog, pricing, reviews, changelog } = sources.urls;
  followed = {
    catalog: createTransport({ baseUrl: catalog }),
    pricing: createTransport({ baseUrl: pricing }),
    reviews: createTransport({ baseUrl: reviews }),
    changelog: createTransport({ baseUrl: changelog }),
  };
  const database = observed(sources.database);
  const embedder = createBuiltinEmbedder();
  const tokens = [ingestToken];
  // Not served: each readiness check queries the database.
  replicas = [1, 2].map(() =>
    createSearchService({
      transportTo: (name) => followed[name],
      database,
      embedder,
      logger: silentLogger,
      ingestTokens: tokens,
    }),
  );
  for (const replica of replicas) replica.start();
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  await Promise.all(Object.values(followed).map((transport) => transport.close()));
  await sources.close();
});

function observed(database: Database): Database {
  return new Proxy(database, {
    get(target, name, receiver) {
      accessedAtMs = performance.now();
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

const vectors = async () => {
  const row = await sources.database.readOne<{ generation: number }>(
    "select generation from search.live_generation",
  );
  return await sources.database.read(
    `select number from search.g${row?.generation}_vector_0 where vector is not null`,
  );
};

it("does not query the database while nothing is written, and embeds a write at once", async () => {
  await eventually(() => isCaughtUp(sources.database));
  // Longer than any pause except those of idle loops.
  await eventually(async () => performance.now() - accessedAtMs > 6_000);
  await sources.ingest([{ kind: "offer", record: { id: "a", title: "Lighthouse keeping" } }]);
  await expect.poll(vectors, { timeout: 5_000 }).toHaveLength(1);
});
