import { migrate, openDatabase } from "@storefront/database";
import { memoryDatabase } from "@storefront/testkit";
import { expect, it } from "vitest";
import { catalogService } from "../src/catalog-service.ts";
import { migrateBefore } from "./migrate-before.ts";

const start = "select only_row from catalog.sighting_start";

it("stores sightings in a fresh database, and times in rows where an earlier release has written", async () => {
  const fresh = await openDatabase(await memoryDatabase("nothing"));
  await migrate(fresh, catalogService.migrations);
  expect(await fresh.read(start)).toEqual([{ only_row: true }]);
  await fresh.close();

  const written = await openDatabase(await memoryDatabase("nothing"));
  await migrateBefore(written, "0007");
  // A write of release 0.2.0.
  await written.write(`insert into catalog.change_log (kind, key, namespace, observed_at, entry)
    values ('sandbox', '{x}', '', now(), '')`);
  await migrate(written, catalogService.migrations);
  expect(await written.read(start)).toEqual([]);
  await written.close();
});
