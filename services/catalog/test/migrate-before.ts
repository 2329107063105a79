import { migrate } from "@storefront/database";
import type { Database } from "@storefront/database";
import { makeTemporaryDirectory } from "@storefront/testkit";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogService } from "../src/catalog-service.ts";

/** Applies the catalog's migrations before the one with this number. */
export async function migrateBefore(database: Database, number: string): Promise<void> {
  const all = fileURLToPath(catalogService.migrations.directory);
  const before = await makeTemporaryDirectory();
  for (const file of await readdir(all)) {
    if (file < number) await cp(join(all, file), join(before.path, file));
  }
  await migrate(database, { schema: "catalog", directory: before.path });
  await before.remove();
}
