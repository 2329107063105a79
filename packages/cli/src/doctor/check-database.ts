import type { Environment } from "@storefront/config";
import { compareMigrations, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { catalogService } from "@storefront/service-catalog";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { databaseUrlOf } from "../stack/data-directory.ts";
import { services } from "../stack/services.ts";
import { messageOf } from "../user-error.ts";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

const name = "database";

/** Opens the database and compares its migrations with this version's. */
export async function checkDatabase(
  dataDirectory: string,
  env: Environment,
  isInUse: boolean,
): Promise<Check> {
  const url = databaseUrlOf(dataDirectory, env);
  const isEmbedded = url.startsWith("pglite:");
  // Only one process can open it; the services say how it is.
  if (isEmbedded && isInUse) return fine(name, "embedded, opened by the running stack");
  const directory = url.slice("pglite:".length);
  if (isEmbedded && (await stat(join(directory, "pgdata")).catch(() => undefined)) === undefined) {
    return fine(name, "embedded (made by the first start)");
  }
  try {
    const database = await openDatabase({
      ...catalogService.databaseOf({ ...env, DATABASE_URL: url }),
      applicationName: "storefront-doctor",
    });
    try {
      const latencyMs = await database.probe();
      const pending = await findPending(database);
      if (pending.length === 0 || isEmbedded) {
        return fine(name, `${database.driver}, answers in ${latencyMs.toFixed(1)} ms`);
      }
      return wrong(name, `It lacks ${pending.join(", ")}.`, "Run `storefront migrate`.");
    } finally {
      await database.close();
    }
  } catch (error) {
    const remedy = isEmbedded
      ? "Stop the other process, or choose another directory by DATA_DIR."
      : "Check DATABASE_URL and that the server runs.";
    return wrong(name, messageOf(error), remedy);
  }
}

async function findPending(database: Database): Promise<string[]> {
  const pending: string[] = [];
  for (const { name: service, migrations } of services) {
    const comparison = await compareMigrations(database, migrations);
    pending.push(...comparison.pending.map((migration) => `${service} ${migration}`));
  }
  return pending;
}
