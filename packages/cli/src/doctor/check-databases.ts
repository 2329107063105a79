import type { Environment } from "@storefront/process";
import { compareMigrations, openDatabase } from "@storefront/database";
import type { Database, DatabaseOptions } from "@storefront/database";
import type { ServiceDefinition } from "@storefront/service-process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { databaseUrlOf } from "../stack/data-directory.ts";
import { loadServices } from "../stack/services.ts";
import { messageOf } from "../user-error.ts";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

/** A database, and the services that use it. */
interface UsedDatabase {
  name: string;
  settings: DatabaseOptions;
  users: readonly ServiceDefinition[];
}

/**
 * Opens the database of the services, or each of theirs, and compares its migrations with this
 * version's.
 */
export async function checkDatabases(
  dataDirectory: string,
  env: Environment,
  isInUse: boolean,
): Promise<Check[]> {
  const databases = usedDatabases(await loadServices(), {
    ...env,
    DATABASE_URL: databaseUrlOf(dataDirectory, env),
  });
  return await Promise.all(databases.map((database) => checkDatabase(database, isInUse)));
}

function usedDatabases(services: readonly ServiceDefinition[], env: Environment): UsedDatabase[] {
  const byUrl = Map.groupBy(services, (service) => service.databaseOf(env).url);
  return [...byUrl.values()].flatMap((users) => {
    const [first] = users;
    if (first === undefined) return [];
    const names = users.map(({ name }) => name).join(", ");
    const name = byUrl.size === 1 ? "database" : `database of ${names}`;
    return [{ name, settings: first.databaseOf(env), users }];
  });
}

async function checkDatabase(
  { name, settings, users }: UsedDatabase,
  isInUse: boolean,
): Promise<Check> {
  const { url } = settings;
  const isEmbedded = url.startsWith("pglite:");
  // Only one process can open it; the services report its health.
  if (isEmbedded && isInUse) return fine(name, "embedded, opened by the running stack");
  const directory = url.slice("pglite:".length);
  if (isEmbedded && (await stat(join(directory, "pgdata")).catch(() => undefined)) === undefined) {
    return fine(name, "embedded (made by the first start)");
  }
  try {
    const database = await openDatabase({ ...settings, applicationName: "storefront-doctor" });
    try {
      const latencyMs = await database.probe();
      const { pending, newer } = await compareAll(database, users);
      if (pending.length > 0 && !isEmbedded) {
        return wrong(name, `It lacks ${pending.join(", ")}.`, "Run `storefront migrate`.");
      }
      const found = `${database.driver}, responds in ${latencyMs.toFixed(1)} ms`;
      const more = newer.length === 0 ? "" : `; a newer version has added ${newer.join(", ")}`;
      return fine(name, found + more);
    } finally {
      await database.close();
    }
  } catch (error) {
    const remedy = isEmbedded
      ? "Stop the other process, or choose another directory by DATA_DIR."
      : "Check DATABASE_URL, or that of the service, and that the server runs.";
    return wrong(name, messageOf(error), remedy);
  }
}

async function compareAll(
  database: Database,
  users: readonly ServiceDefinition[],
): Promise<{ pending: string[]; newer: string[] }> {
  const pending: string[] = [];
  const newer: string[] = [];
  for (const { name: service, migrations } of users) {
    const found = await compareMigrations(database, migrations);
    pending.push(...found.pending.map((migration) => `${service} ${migration}`));
    newer.push(...found.newer.map((migration) => `${service} ${migration}`));
  }
  return { pending, newer };
}
