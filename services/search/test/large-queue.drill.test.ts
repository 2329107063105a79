import { migrate, openDatabase } from "@storefront/database";
import type { Database, Transaction } from "@storefront/database";
import { describeOnEachDatabase } from "@storefront/testkit";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { searchService } from "../src/index.ts";
import {
  claimQueued,
  finishClaimed,
  giveBack,
  unchangedOf,
} from "../src/store/embedding-claims.ts";

const kind = { signature: "postgres 3 builtin", training: 1n };
const queuedCount = 20_000;
const limit = 200;

describeOnEachDatabase(
  "a long queue whose statistics are those of an empty one",
  (testDatabase) => {
    let database: Database;
    beforeAll(async () => {
      database = await openDatabase(testDatabase.options());
      await migrate(database, searchService.migrations);
      await database.outsideTransaction(["vacuum analyze search.embedding_task"]);
      await database.write(
        `insert into search.embedding_task (signature, training, offer_id, version)
          select $1, $2, md5(number::text), number from generate_series(1, ${queuedCount}) as number`,
        [kind.signature, kind.training],
      );
    });
    afterAll(() => database.close());

    it("reads only a few rows for each offer of a batch", async () => {
      await database.transaction(async (tx) => {
        const holder = randomUUID();
        const claimed = await claimQueued(tx, kind, { holder, limit, isOutside: true });
        expect(claimed).toHaveLength(limit);
        expect(await unchangedOf(tx, kind, claimed)).toHaveLength(limit);
        const finished = await finishClaimed(tx, kind, claimed.slice(0, limit / 2));
        expect(finished.size).toBe(limit / 2);
        await giveBack(tx, kind, { holder, claimed, hasFailed: false });
        expect(await rowsRead(tx)).toBeLessThan(10 * limit);
      });
    });

    it("retains offers whose text has changed since they were claimed", async () => {
      await database.transaction(async (tx) => {
        const claimed = await claimQueued(tx, kind, {
          holder: randomUUID(),
          isOutside: true,
          limit: 2,
        });
        const changed = claimed.map(({ offerId, version }, index) => ({
          offerId,
          version: index === 0 ? version : version + 1_000_000n,
        }));
        expect(await unchangedOf(tx, kind, changed)).toEqual(claimed.slice(0, 1));
        expect([...(await finishClaimed(tx, kind, changed))]).toEqual([claimed[0]?.offerId]);
      });
    });
  },
  ["postgres"],
);

/** Rows of the queue that a transaction has read so far. */
async function rowsRead(tx: Transaction): Promise<number> {
  const row = await tx.readOne<{ rows: number }>(
    `select (seq_tup_read + idx_tup_fetch)::float8 as rows
      from pg_stat_xact_user_tables where relid = 'search.embedding_task'::regclass`,
  );
  return row?.rows ?? NaN;
}
