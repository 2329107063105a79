import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { makeSnapshot, makeTemplate } from "./servers/database-templates.ts";
import { askServerBroker, startServerBroker } from "./servers/server-broker.ts";
import type { ServerBroker } from "./servers/server-broker.ts";
import { isPostgresInstalled, startPostgres } from "./servers/start-postgres.ts";
import { isRedisInstalled, startRedis } from "./servers/start-redis.ts";
import { startTypesense } from "./servers/start-typesense.ts";
import { migratedDatabasesVariable } from "./stack/copy-migrated-database.ts";

/** The servers of the run, for test files. */
export interface TestServers {
  brokerUrl: string;
  /** Whether the server is available: named by its variable, or installed. */
  postgres: boolean;
  redis: boolean;
}

declare module "vitest" {
  export interface ProvidedContext {
    testServers: TestServers;
  }
}

/** Processes that tests start load the same code; compiled, it loads in half the time. */
const compileCache = resolve(import.meta.dirname, "../../../node_modules/.cache/node-compile");

/**
 * vitest's global setup: one PostgreSQL and one Redis for the whole run, a Typesense for each worker, and template
 * databases. Each starts at its first use and stops at the end of the run. `TEST_POSTGRES_URL` (a superuser's) and
 * `TEST_REDIS_URL` name servers to use instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env["NODE_COMPILE_CACHE"] ??= compileCache;
  const migrated = await mkdtemp(join(tmpdir(), "storefront-migrated-"));
  process.env[migratedDatabasesVariable] = migrated;
  const postgresUrl = process.env["TEST_POSTGRES_URL"];
  const redisUrl = process.env["TEST_REDIS_URL"];
  const broker: ServerBroker = await startServerBroker({
    postgres: postgresUrl === undefined ? startPostgres : () => externalServer(postgresUrl),
    redis: redisUrl === undefined ? startRedis : () => externalServer(redisUrl),
    typesense: startTypesense,
    "nothing-in-memory": () => makeSnapshot("nothing"),
    "schemas-in-memory": () => makeSnapshot("schemas"),
    "nothing-on-server": async () => makeTemplate("nothing", await postgresOf(broker)),
    "schemas-on-server": async () => makeTemplate("schemas", await postgresOf(broker)),
  });
  project.provide("testServers", {
    brokerUrl: broker.url,
    postgres: postgresUrl !== undefined || isPostgresInstalled(),
    redis: redisUrl !== undefined || isRedisInstalled(),
  });
  return async () => {
    await broker.stop();
    await rm(migrated, { recursive: true, force: true });
  };
}

async function postgresOf(broker: ServerBroker): Promise<string> {
  return await askServerBroker(broker.url, "postgres");
}

function externalServer(url: string) {
  return Promise.resolve({ url, stop: () => Promise.resolve() });
}
