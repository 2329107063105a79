import type { Environment } from "@storefront/config";
import { compareMigrations, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { databaseUrlOf } from "../stack/data-directory.ts";
import { serviceNames } from "../stack/service-names.ts";
import { migrationsOf } from "../stack/services.ts";
import { stackSettingsOf } from "../stack/stack-settings.ts";
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
  const { databaseDriver } = stackSettingsOf(env);
  try {
    const database = await openDatabase({
      url,
      ...(databaseDriver === undefined ? {} : { driver: databaseDriver }),
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
  for (const service of serviceNames) {
    const comparison = await compareMigrations(database, migrationsOf[service]);
    pending.push(...comparison.pending.map((migration) => `${service} ${migration}`));
  }
  return pending;
}
