import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { createBatchApplier } from "@storefront/ingest";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { hostileObservations } from "@storefront/testkit/hostile-observations";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { catalogMigrations } from "../src/index.ts";
import { catalogKinds } from "../src/kinds/catalog-kinds.ts";

const apply = createBatchApplier("catalog", catalogKinds);

const observations = hostileObservations(catalogKinds, {
  locale: fc.constantFrom("de", "fr", "zh-Hant-TW", "de_DE"),
  nullMembers: fc.subarray(["seller", "tags", "title"]),
});

const tables = [
  ...catalogKinds.map(({ table }) => table),
  "catalog.tombstone",
  "catalog.change_log",
];

describeOnEachMigratedDatabase(
  "whatever is sent",
  (testDatabase) => {
    let database: Database;
    beforeAll(async () => {
      database = await openDatabase(testDatabase.options());
      await migrate(database, catalogMigrations);
    });
    afterAll(() => database.close());

    it("every observation of a batch has its outcome, and a replay of it writes nothing", async () => {
      const batches = fc.array(observations, { minLength: 10, maxLength: 30 });
      const written = new Set<string | undefined>();
      await fc.assert(
        fc.asyncProperty(batches, async (batch) => {
          // From nothing each time, so that a failure can be had again from its seed.
          await database.write(`truncate ${tables.join(", ")}`);
          const { outcomes, rejections } = await apply(database, batch);
          expect(outcomes).toHaveLength(batch.length);
          expect(rejections.map(({ index }) => index)).toEqual(rejectedOf(outcomes));
          for (const [index, outcome] of outcomes.entries()) {
            if (outcome === IngestOutcome.WRITTEN) written.add(batch[index]?.kind);
          }
          const replay = await apply(database, batch);
          expect(rejectedOf(replay.outcomes)).toEqual(rejectedOf(outcomes));
          expect(replay.outcomes).not.toContain(IngestOutcome.WRITTEN);
        }),
        { numRuns: 40 },
      );
      expect(written.size).toBe(catalogKinds.length);
    });
  },
  ["pglite", "postgres"],
);

function rejectedOf(outcomes: readonly IngestOutcome[]): number[] {
  return outcomes.flatMap((outcome, index) => (outcome === IngestOutcome.REJECTED ? [index] : []));
}
