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
/** When a replica last asked its database for anything. */
let askedAtMs = 0;
beforeAll(async () => {
  sources = await startSources(await memoryDatabase("schemas"));
  const { catalog, pricing, reviews, changelog } = sources.urls;
  followed = {
    catalog: createTransport({ baseUrl: catalog }),
    pricing: createTransport({ baseUrl: pricing }),
    reviews: createTransport({ baseUrl: reviews }),
    changelog: createTransport({ baseUrl: changelog }),
  };
  const database = noticing(sources.database);
  const embedder = createBuiltinEmbedder();
  const tokens = [ingestToken];
  // Not served: readiness asks the database whenever somebody wants to know.
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

function noticing(database: Database): Database {
  return new Proxy(database, {
    get(target, name, receiver) {
      askedAtMs = performance.now();
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

it("leaves the database alone while nothing is written, and embeds at once what is", async () => {
  await eventually(() => isCaughtUp(sources.database));
  // Longer than any pause but those of loops with nothing to do.
  await eventually(async () => performance.now() - askedAtMs > 6_000);
  await sources.ingest([{ kind: "offer", record: { id: "a", title: "Lighthouse keeping" } }]);
  await expect.poll(vectors, { timeout: 5_000 }).toHaveLength(1);
});
