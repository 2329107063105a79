import { lockWriters, migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { catalogService } from "../src/catalog-service.ts";
import { migrateBefore } from "./migrate-before.ts";

const add = `
  insert into catalog.item (id, observed_at, app_ids, record)
  select gen_random_uuid()::text, now(), '{}', '' from generate_series(1, 1000)`;

describeOnEachDatabase(
  "the number of items",
  (testDatabase) => {
    let database: Database;
    beforeAll(async () => {
      database = await openDatabase(testDatabase.options());
    });
    afterAll(() => database.close());

    it("is corrected by a migration while 1,000 items are written", async () => {
      await migrateBefore(database, "0008");
      // The result of 0005 without the lock, while another transaction writes 1,000 items.
      await database.write(add);
      await database.write("update catalog.item_count set count = 0");
      const isWritten = Promise.withResolvers<void>();
      const isWaiting = Promise.withResolvers<void>();
      const written = database.transaction(async (tx) => {
        await lockWriters(tx, "catalog");
        await tx.write(add);
        isWritten.resolve();
        await isWaiting.promise;
      });
      await isWritten.promise;
      await migrate(database, catalogService.migrations, { onWait: () => isWaiting.resolve() });
      await written;
      expect(await database.readOne("select count from catalog.item_count")).toEqual({
        count: 2_000n,
      });
    });
  },
  ["postgres", "neon"],
);
