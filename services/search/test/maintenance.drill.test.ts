import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { describeOnEachDatabase, slowDownDrops } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { createPostgresEngine, searchService } from "../src/index.ts";

describeOnEachDatabase(
  "maintenance of an index",
  (testDatabase) => {
    let database: Database;
    let limited: Database;
    let engine: SearchEngine;
    beforeAll(async () => {
      database = await openDatabase(testDatabase.options());
      await migrate(database, searchService.migrations);
      await createPostgresEngine(database).createGeneration(1, { dimensions: undefined });
      // Shorter than the operations below.
      const limits = { statementTimeoutMs: 300, lockTimeoutMs: 100 };
      limited = await openDatabase({ ...testDatabase.options(), ...limits });
      engine = createPostgresEngine(limited);
    });
    afterAll(async () => {
      await limited.close();
      await database.close();
    });

    it("gathers statistics without a time limit", async () => {
      const waits = `select 1 from pg_stat_activity where query like '%analyze search.g1_offer'
        and wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '600 ms'`;
      let finishing: Promise<void> | undefined;
      await database.transaction(async (tx) => {
        await tx.write("lock table search.g1_offer in share update exclusive mode");
        finishing = engine.finishBuilding(1);
        // Handled when it is awaited.
        finishing.catch(() => undefined);
        await vi.waitUntil(() => database.readOne(waits), { timeout: 20_000 });
      });
      await expect(finishing).resolves.toBeUndefined();
      const gathered = `select 1 from pg_stat_user_tables
        where relname = 'g1_entry' and analyze_count > 0`;
      await vi.waitUntil(() => database.readOne(gathered), { timeout: 20_000 });
    });

    it("drops the index without a time limit", async () => {
      await slowDownDrops(database);
      await engine.dropGeneration(1);
      expect(
        await database.readOne("select 1 from pg_tables where tablename = 'g1_offer'"),
      ).toBeUndefined();
    });
  },
  ["postgres", "pgbouncer"],
);
