import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { migrate, openDatabase } from "@storefront/database";
import type { Database, MigrationSource } from "@storefront/database";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { hostileObservations } from "@storefront/testkit/hostile-observations";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createBatchApplier } from "../src/index.ts";
import type { RecordKind } from "../src/index.ts";

/** A service that takes observations. */
export interface IngestingService {
  readonly kinds: readonly RecordKind[];
  readonly migrations: MigrationSource;
  /** Of members that take certain values only, by local name. */
  readonly vocabularies: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** What it writes beside records, tombstones and the log. */
  readonly otherTables?: readonly string[];
}

/** Tests that a service has an outcome for whatever is sent. */
export function describeHostileBatches({
  kinds,
  migrations,
  vocabularies,
  otherTables = [],
}: IngestingService): void {
  const { schema } = migrations;
  const apply = createBatchApplier(schema, kinds);
  const batches = fc.array(hostileObservations(kinds, vocabularies), {
    minLength: 10,
    maxLength: 30,
  });
  const tables = [
    ...kinds.map(({ table }) => table),
    ...otherTables,
    `${schema}.tombstone`,
    `${schema}.change_log`,
  ];

  describeOnEachMigratedDatabase(
    "whatever is sent",
    (testDatabase) => {
      let database: Database;
      beforeAll(async () => {
        database = await openDatabase(testDatabase.options());
        await migrate(database, migrations);
      });
      afterAll(() => database.close());

      it("every observation of a batch has its outcome, and a replay of it writes nothing", async () => {
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
        expect(written.size).toBe(kinds.length);
      });
    },
    ["pglite", "postgres"],
  );
}

function rejectedOf(outcomes: readonly IngestOutcome[]): number[] {
  return outcomes.flatMap((outcome, index) => (outcome === IngestOutcome.REJECTED ? [index] : []));
}
