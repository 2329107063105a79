import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import { describeUnlessMissing } from "./describe-unless-missing.ts";
import type { DatabaseContents } from "./servers/database-templates.ts";
import { askServerBroker } from "./servers/server-broker.ts";
import type { TestServer } from "./servers/server-process.ts";
import { missingPgbouncer, startPgbouncer } from "./servers/start-pgbouncer.ts";
import { runStatement } from "./servers/run-statement.ts";
import { startNeonRelay } from "./start-neon-relay.ts";
import type { NeonRelay } from "./start-neon-relay.ts";

/** Options to open a test's database with `openDatabase`. */
export interface TestDatabaseOptions {
  url: string;
  driver: "pglite" | "postgres" | "neon";
  neonRelayUrl?: string;
  snapshot?: string;
  pooler?: "transaction";
}

/** A fresh database for one suite. */
export interface TestDatabase {
  readonly driver: TestDatabaseOptions["driver"];
  readonly way: DatabaseWay;
  /**
   * For `openDatabase`; in hooks and tests, not while the suite is described. PGlite's is in memory
   * and lasts until its last user closes it.
   */
  options(): TestDatabaseOptions;
}

/** How a suite reaches its database; `pgbouncer` is PostgreSQL behind PgBouncer. */
export type DatabaseWay = TestDatabase["driver"] | "pgbouncer";

/** The ways that a run tests, by the variable `DATABASES`: `pglite` (default), `servers`, or `all`. */
const testedWays: Readonly<Record<string, readonly DatabaseWay[]>> = {
  pglite: ["pglite"],
  servers: ["postgres", "neon", "pgbouncer"],
  all: ["pglite", "postgres", "neon", "pgbouncer"],
};

/** PGlite, PostgreSQL, and PostgreSQL by Neon's driver. */
export const everyDriver: readonly DatabaseWay[] = ["pglite", "postgres", "neon"];

/** Without Neon's driver, which reaches the same server. */
const everyServer: readonly DatabaseWay[] = ["pglite", "postgres"];

/**
 * Describes a suite with empty databases: on PGlite, on PostgreSQL, and on PostgreSQL reached by Neon's driver through
 * a relay, those that the run tests; each time with a database of its own, dropped afterwards.
 *
 * @param ways to test; default these three. `pgbouncer` is another one.
 */
export function describeOnEachDatabase(
  name: string,
  suite: (database: TestDatabase) => void,
  ways: readonly DatabaseWay[] = everyDriver,
): void {
  describeWith("nothing", name, suite, ways);
}

/**
 * As {@link describeOnEachDatabase}, with databases that have the migrations of every service: applied
 * once for the whole run, since that takes longer than most suites. By default on PGlite and on
 * PostgreSQL: the tests of the database compare the drivers, and one suite of each service uses Neon's as
 * well.
 */
export function describeOnEachMigratedDatabase(
  name: string,
  suite: (database: TestDatabase) => void,
  ways: readonly DatabaseWay[] = everyServer,
): void {
  describeWith("schemas", name, suite, ways);
}

/** A fresh PGlite in memory, which lasts until its last user closes it; in hooks and tests. */
export async function memoryDatabase(contents: DatabaseContents): Promise<TestDatabaseOptions> {
  const snapshot = await askServerBroker(inject("testServers").brokerUrl, `${contents}-in-memory`);
  return { driver: "pglite", url: `pglite:memory:${randomUUID()}`, snapshot };
}

function describeWith(
  contents: DatabaseContents,
  name: string,
  suite: (database: TestDatabase) => void,
  ways: readonly DatabaseWay[],
): void {
  for (const way of ways.filter(isTested)) {
    describeUnlessMissing(`${name} (${way})`, missingFor(way), () => {
      suite(way === "pglite" ? databaseInMemory(contents) : databaseOnServer(way, contents));
    });
  }
}

/** @throws Error when `DATABASES` has an unknown value */
function isTested(way: DatabaseWay): boolean {
  const { DATABASES: chosen = "pglite" } = process.env;
  const tested = testedWays[chosen];
  if (tested === undefined) {
    throw new Error(`DATABASES is "${chosen}"; it takes ${Object.keys(testedWays).join(", ")}.`);
  }
  return tested.includes(way);
}

function missingFor(way: DatabaseWay): string | undefined {
  if (way === "pglite") return undefined;
  return missingPostgres() ?? (way === "pgbouncer" ? missingPgbouncer() : undefined);
}

function databaseInMemory(contents: DatabaseContents): TestDatabase {
  let options: TestDatabaseOptions;
  beforeAll(async () => {
    options = await memoryDatabase(contents);
  });
  return { driver: "pglite", way: "pglite", options: () => options };
}

/** Why there is no PostgreSQL for tests, undefined when there is one. */
export function missingPostgres(): string | undefined {
  return inject("testServers").postgres
    ? undefined
    : "no PostgreSQL: install one, or name one by TEST_POSTGRES_URL (a superuser's)";
}

/** Creates a database before the suite that this is called in, and drops it afterwards. */
function databaseOnServer(
  way: Exclude<DatabaseWay, "pglite">,
  contents: DatabaseContents,
): TestDatabase {
  const driver = way === "neon" ? "neon" : "postgres";
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  let serverUrl = "";
  let relay: NeonRelay | undefined;
  let pgbouncer: TestServer | undefined;
  beforeAll(async () => {
    serverUrl = await askServerBroker(inject("testServers").brokerUrl, "postgres");
    const template = await askServerBroker(
      inject("testServers").brokerUrl,
      `${contents}-on-server`,
    );
    await runStatement(serverUrl, `create database ${name} template ${template}`);
    if (way === "neon") relay = await startNeonRelay();
    if (way === "pgbouncer") pgbouncer = await startPgbouncer(serverUrl);
  });
  afterAll(async () => {
    await relay?.stop();
    await pgbouncer?.stop();
    await runStatement(serverUrl, `drop database if exists ${name} with (force)`);
  });
  return {
    driver,
    way,
    options() {
      const url = new URL(pgbouncer?.url ?? serverUrl);
      url.pathname = `/${name}`;
      return {
        driver,
        url: url.href,
        ...(relay === undefined ? {} : { neonRelayUrl: relay.url }),
        ...(pgbouncer === undefined ? {} : { pooler: "transaction" }),
      };
    },
  };
}
