import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeOnEachMigratedDatabase } from "./describe-on-each-database.ts";
import type { TestDatabaseOptions } from "./describe-on-each-database.ts";
import { hostileObservations } from "./hostile-observations.ts";
import type { HostileKind, HostileObservation } from "./hostile-observations.ts";

// By a path of its own, not by the index, as what it sends.

/** The database of a service that takes observations. */
export interface IngestingDatabase {
  /** Takes everything away that was written. */
  empty(): Promise<unknown>;
  apply(batch: readonly HostileObservation[]): Promise<{
    readonly outcomes: readonly IngestOutcome[];
    readonly rejections: readonly { readonly index: number }[];
  }>;
  close(): Promise<void>;
}

/** A service that takes observations. */
export interface IngestingService {
  readonly kinds: readonly HostileKind[];
  /** Of members that take certain values only, by local name. */
  readonly vocabularies: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** Opens its migrated database. */
  readonly open: (options: TestDatabaseOptions) => Promise<IngestingDatabase>;
}

/** Tests that a service has an outcome for whatever is sent. */
export function describeHostileBatches({ kinds, vocabularies, open }: IngestingService): void {
  const batches = fc.array(hostileObservations(kinds, vocabularies), {
    minLength: 10,
    maxLength: 30,
  });

  describeOnEachMigratedDatabase(
    "whatever is sent",
    (testDatabase) => {
      let database: IngestingDatabase;
      beforeAll(async () => {
        database = await open(testDatabase.options());
      });
      afterAll(() => database.close());

      it("every observation of a batch has its outcome, and a replay of it writes nothing", async () => {
        const written = new Set<string | undefined>();
        await fc.assert(
          fc.asyncProperty(batches, async (batch) => {
            // From nothing each time, so that a failure can be had again from its seed.
            await database.empty();
            const { outcomes, rejections } = await database.apply(batch);
            expect(outcomes).toHaveLength(batch.length);
            expect(rejections.map(({ index }) => index)).toEqual(rejectedOf(outcomes));
            for (const [index, outcome] of outcomes.entries()) {
              if (outcome === IngestOutcome.WRITTEN) written.add(batch[index]?.kind);
            }
            const replay = await database.apply(batch);
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
