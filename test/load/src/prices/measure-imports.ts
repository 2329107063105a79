import { makeTemporaryDirectory, startPostgres, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { writePrices } from "./write-prices.ts";

/** For how long the server must have logged nothing before its log is measured, in milliseconds. */
const quietMs = 2000;

/** What importing the same prices three times took. */
export interface PriceImports {
  lines: number;
  isReal: boolean;
  /** Of the first import, of the same file again, and of the same prices seen a day later. */
  firstSeconds: number;
  againSeconds: number;
  laterSeconds: number;
  /** What the server logged to take them again and a day later, and to move the times in their rows. */
  againBytes: number;
  laterBytes: number;
  rowsBytes: number;
}

/** Imports prices into a stack on PostgreSQL, the search following. */
export async function measureImports(): Promise<PriceImports> {
  const directory = await makeTemporaryDirectory();
  const postgres = await startPostgres();
  const client = new Client({ connectionString: postgres.url });
  try {
    const { first, later, lines, isReal } = await writePrices((name) => directory.file(name));
    await client.connect();
    const stack = await startStack({ env: { DATABASE_URL: postgres.url } });
    const bytesOf = async (work: () => Promise<number | void>) => {
      const before = await quietPosition(client);
      const seconds = (await work()) ?? 0;
      return { bytes: (await quietPosition(client)) - before, seconds };
    };
    try {
      const firstSeconds = await secondsOfImport(stack, first);
      const again = await bytesOf(() => secondsOfImport(stack, first));
      const seenLater = await bytesOf(() => secondsOfImport(stack, later));
      const inRows = await bytesOf(async () => {
        await client.query("update pricing.price set observed_at = observed_at + interval '1 day'");
      });
      return {
        lines,
        isReal,
        firstSeconds,
        againSeconds: again.seconds,
        laterSeconds: seenLater.seconds,
        againBytes: again.bytes,
        laterBytes: seenLater.bytes,
        rowsBytes: inRows.bytes,
      };
    } finally {
      await stack.stop();
    }
  } finally {
    await client.end();
    await postgres.stop();
    await directory.remove();
  }
}

async function secondsOfImport(stack: TestStack, file: string): Promise<number> {
  const startedAtMs = performance.now();
  const { status, stderr } = await stack.cli(["import", file]);
  if (status !== 0) throw new Error(`The import ended with status ${status}: ${stderr}`);
  return (performance.now() - startedAtMs) / 1000;
}

/** Where the server's log ends once nobody writes any more, followers included. */
async function quietPosition(client: Client): Promise<number> {
  for (let last = Number.NaN; ;) {
    const { rows } = await client.query<{ position: number }>(
      "select (pg_current_wal_insert_lsn() - '0/0')::float8 as position",
    );
    const position = rows[0]?.position ?? 0;
    if (position === last) return position;
    last = position;
    await sleep(quietMs);
  }
}
