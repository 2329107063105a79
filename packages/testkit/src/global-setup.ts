import type { TestProject } from "vitest/node";
import { startServerBroker } from "./servers/server-broker.ts";
import { isPostgresInstalled, startPostgres } from "./servers/start-postgres.ts";
import { isRedisInstalled, startRedis } from "./servers/start-redis.ts";

/** What a test file learns about the servers of the run. */
export interface TestServers {
  brokerUrl: string;
  /** Whether the server can be had: named by its variable, or installed. */
  postgres: boolean;
  redis: boolean;
}

declare module "vitest" {
  export interface ProvidedContext {
    testServers: TestServers;
  }
}

/**
 * vitest's global setup: one PostgreSQL and one Redis for the whole run, started when first asked
 * for and stopped at its end. `TEST_POSTGRES_URL` (a superuser's) and `TEST_REDIS_URL` name servers
 * to use instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgresUrl = process.env["TEST_POSTGRES_URL"];
  const redisUrl = process.env["TEST_REDIS_URL"];
  const broker = await startServerBroker({
    postgres: postgresUrl === undefined ? startPostgres : () => given(postgresUrl),
    redis: redisUrl === undefined ? startRedis : () => given(redisUrl),
  });
  project.provide("testServers", {
    brokerUrl: broker.url,
    postgres: postgresUrl !== undefined || isPostgresInstalled(),
    redis: redisUrl !== undefined || isRedisInstalled(),
  });
  return () => broker.stop();
}

function given(url: string) {
  return Promise.resolve({ url, stop: () => Promise.resolve() });
}
