import { serviceNames, serviceVariables } from "@storefront/process";
import type { Environment } from "@storefront/process";
import { access, constants, stat } from "node:fs/promises";
import { firstBlockedPort, portsOfStack } from "../stack/check-ports.ts";
import { dataFile, readStackFile, databaseUrlOf } from "../stack/data-directory.ts";
import { findIngestToken } from "../stack/ingest-token.ts";
import { openClientTls } from "../stack/service-connections.ts";
import type { StackContext } from "../stack/service-connections.ts";
import { stackSettingsOf } from "../stack/stack-environment.ts";
import type { StackSettings } from "../stack/stack-environment.ts";
import { messageOf } from "../user-error.ts";
import { checkFeeds } from "./check-feeds.ts";
import { checkRegions } from "./check-regions.ts";
import { checkGateway, checkReindex, checkServices, isRunning } from "./check-services.ts";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";
import { compareMigrations, openDatabase } from "@storefront/database";
import type { Database, DatabaseOptions } from "@storefront/database";
import type { ServiceDefinition } from "@storefront/service-process";
import { join } from "node:path";
import { loadServices } from "../stack/services.ts";

/**
 * Checks the machine and, where a stack runs on the data directory or the environment names one,
 * the stack.
 *
 * @throws ConfigError, TlsError when the environment is wrong.
 */
export async function runDoctor({ dataDirectory, env }: StackContext): Promise<Check[]> {
  const settings = stackSettingsOf(env);
  const left = await readStackFile(dataDirectory);
  const running = left !== undefined && isRunning(left) ? left : undefined;
  const isInUse = running !== undefined;
  // Its processes may run on this machine, on the ports of `start`.
  const isNamed = serviceNames.some((name) => env[serviceVariables(name).url]);
  const checks = [
    checkNode(process.versions.node),
    await checkDataDirectory(dataDirectory, isInUse),
    await checkToken(dataDirectory, env),
    ...(await checkDatabases(dataDirectory, env, isInUse)),
    ...(isInUse || isNamed ? [] : [await checkFreePorts(settings)]),
  ];
  const tls = await openClientTls(env);
  try {
    const stack = { dataDirectory, env, running, tls };
    return [
      ...checks,
      ...(await checkServices(stack)),
      ...(await checkGateway(running)),
      ...(await checkFeeds(stack)),
      ...(await checkReindex(stack)),
      ...(await checkRegions(stack)),
    ];
  } finally {
    tls?.close();
  }
}

/** The first supported version that runs TypeScript without a flag or a warning. */
const minMajor = 24;

function checkNode(version: string): Check {
  return Number.parseInt(version, 10) >= minMajor
    ? fine("Node.js", version)
    : wrong(
        "Node.js",
        `Version ${version} is too old, ${minMajor} is needed.`,
        "Run by `npx -y pnpm@12 storefront`, which brings its own.",
      );
}

async function checkDataDirectory(directory: string, isInUse: boolean): Promise<Check> {
  const name = "data directory";
  const found = await stat(directory).catch(() => undefined);
  if (found === undefined) return fine(name, `${directory} (made by the first start)`);
  if (!found.isDirectory()) {
    return wrong(name, `${directory} is not a directory.`, "Choose another by DATA_DIR.");
  }
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return wrong(
      name,
      `${directory} cannot be written.`,
      "Change its rights or choose another by DATA_DIR.",
    );
  }
  return fine(name, isInUse ? `${directory} (a stack runs on it)` : directory);
}

async function checkToken(directory: string, env: Environment): Promise<Check> {
  const name = "ingest token";
  try {
    const token = await findIngestToken(directory, env);
    if (token === undefined) return fine(name, "none yet (made by the first start)");
    if (env["INGEST_TOKEN"]) return fine(name, "set by INGEST_TOKEN");
    const path = dataFile.ingestToken(directory);
    const isPrivate = ((await stat(path)).mode & 0o077) === 0;
    return isPrivate || process.platform === "win32"
      ? fine(name, `in ${path}`)
      : wrong(name, `Others can read ${path}.`, `Run chmod 600 ${path}.`);
  } catch (error) {
    return wrong(name, messageOf(error), "Set a longer one, or remove the file to have one made.");
  }
}

/** Whether the ports of a stack are free. */
async function checkFreePorts(settings: StackSettings): Promise<Check> {
  const name = "ports";
  const wanted = portsOfStack(settings);
  const blocked = await firstBlockedPort(wanted);
  if (blocked === undefined) {
    return fine(name, `${wanted.map(({ port }) => port).join(", ")} are free`);
  }
  const { port, use, problem, setting } = blocked;
  return wrong(name, `Port ${port}, for ${use}, ${problem}.`, `Choose another by ${setting}.`);
}

/** A database, and the services that use it. */
interface UsedDatabase {
  name: string;
  settings: DatabaseOptions;
  users: readonly ServiceDefinition[];
}

/**
 * Opens each database of the services, and compares its migrations with this version's.
 */
async function checkDatabases(
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
