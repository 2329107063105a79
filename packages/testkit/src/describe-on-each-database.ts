import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { describeUnlessMissing } from "./describe-unless-missing.ts";
import { askServerBroker } from "./servers/server-broker.ts";
import { startNeonRelay } from "./start-neon-relay.ts";
import type { NeonRelay } from "./start-neon-relay.ts";

/** What to open a test's database with; fits the options of `openDatabase`. */
export interface TestDatabaseOptions {
  url: string;
  driver: "pglite" | "postgres" | "neon";
  neonRelayUrl?: string;
}

/** A fresh, empty database for one suite. */
export interface TestDatabase {
  readonly driver: TestDatabaseOptions["driver"];
  /**
   * For `openDatabase`; in hooks and tests, not while the suite is described. PGlite's is in memory
   * and lives as long as somebody has it open.
   */
  options(): TestDatabaseOptions;
}

type TestDriver = TestDatabase["driver"];

const allDrivers: readonly TestDriver[] = ["pglite", "postgres", "neon"];

/**
 * Describes a suite three times: on PGlite, on PostgreSQL, and on PostgreSQL reached by Neon's
 * driver through a relay; each time with a database of its own, dropped afterwards.
 *
 * @param drivers the ones that the suite is about; default all three.
 */
export function describeOnEachDatabase(
  name: string,
  suite: (database: TestDatabase) => void,
  drivers: readonly TestDriver[] = allDrivers,
): void {
  for (const driver of drivers) {
    const missing = driver === "pglite" ? undefined : missingPostgres();
    describeUnlessMissing(`${name} (${driver})`, missing, () => {
      suite(driver === "pglite" ? databaseInMemory() : databaseOnServer(driver));
    });
  }
}

function databaseInMemory(): TestDatabase {
  const options = { driver: "pglite", url: `pglite:memory:${randomUUID()}` } as const;
  return { driver: "pglite", options: () => options };
}

/** Why there is no PostgreSQL for tests, undefined when there is one. */
export function missingPostgres(): string | undefined {
  return inject("testServers").postgres
    ? undefined
    : "no PostgreSQL: install one, or name one by TEST_POSTGRES_URL (a superuser's)";
}

/** Creates a database before the suite that this is called in, and drops it afterwards. */
function databaseOnServer(driver: "postgres" | "neon"): TestDatabase {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  let serverUrl = "";
  let relay: NeonRelay | undefined;
  beforeAll(async () => {
    serverUrl = await askServerBroker(inject("testServers").brokerUrl, "postgres");
    await runOnce(serverUrl, `create database ${name}`);
    if (driver === "neon") relay = await startNeonRelay();
  });
  afterAll(async () => {
    await relay?.stop();
    await runOnce(serverUrl, `drop database if exists ${name} with (force)`);
  });
  return {
    driver,
    options() {
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      return {
        driver,
        url: url.href,
        ...(relay === undefined ? {} : { neonRelayUrl: relay.url }),
      };
    },
  };
}

async function runOnce(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
