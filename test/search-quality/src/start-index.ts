import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import {
  createPostgresEngine,
  createTypesenseEngine,
  searchService,
} from "@storefront/service-search";
import type { OfferDocument, OfferVector, SearchEngine } from "@storefront/service-search";
import { describeWithTypesense } from "@storefront/testkit";
import { describe } from "vitest";

/** A filled index, beside a database in memory. */
export interface TestIndex {
  readonly engine: SearchEngine;
  close(): Promise<void>;
}

/** Creates an engine beside its database. */
export type EngineMaker = (database: Database) => SearchEngine;

/** Describes a suite for each engine. */
export function describeOnEachEngine(name: string, suite: (createEngine: EngineMaker) => void) {
  describe(`${name} (postgres)`, () => {
    suite(createPostgresEngine);
  });
  describeWithTypesense(name, (typesense) => {
    let made = 0;
    suite(() => {
      const { prefix, ...address } = typesense.address();
      made += 1;
      return createTypesenseEngine({ ...address, prefix: `${prefix}_${made}`, timeoutMs: 30_000 });
    });
  });
}

/** Fills an index with offers and, where there are any, their vectors. */
export async function startIndex(
  createEngine: EngineMaker,
  offers: readonly OfferDocument[],
  { vectors, dimensions }: { vectors: readonly OfferVector[]; dimensions: number | undefined } = {
    vectors: [],
    dimensions: undefined,
  },
): Promise<TestIndex> {
  const database = await openDatabase({ url: "pglite:memory:" });
  await migrate(database, searchService.migrations);
  const engine = createEngine(database);
  await engine.createGeneration(1, { dimensions });
  const size = 500;
  for (let at = 0; at < Math.max(offers.length, vectors.length); at += size) {
    const writes = { offers: offers.slice(at, at + size), vectors: vectors.slice(at, at + size) };
    await database.transaction((tx) => engine.write(tx, 1, writes));
  }
  await engine.indexVectors(1, 0);
  await engine.finishBuilding(1);
  await database.transaction((tx) => engine.activate(tx, 1));
  return {
    engine,
    async close() {
      await engine.close();
      await database.close();
    },
  };
}
