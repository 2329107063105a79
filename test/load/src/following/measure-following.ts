import { createClient } from "@connectrpc/connect";
import { HealthService } from "@storefront/contracts/health/v1/health_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { createTransport } from "@storefront/rpc";
import { makeTemporaryDirectory, startPostgres, startStack } from "@storefront/testkit";
import type { SharedData, TestStack } from "@storefront/testkit";
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { untilFollowed } from "../growth/until-followed.ts";
import { percentile } from "../percentile.ts";
import { salePrice, saleOf } from "./sale-lines.ts";
import type { Sale } from "./sale-lines.ts";
import type { SearchBackend } from "../search-backend.ts";

const lookMs = 50;
/** How long a search may take to find everything, in milliseconds. */
const foundTimeoutMs = 600_000;
const changedPrices = 20_000;
/** Between reads during the import. */
const readIntervalMs = 25;

/** How soon a search shows what is imported, in seconds from the end of the import. */
export interface FollowingFigures {
  /** Import of all prices of the catalogue. */
  readonly importSeconds: number;
  /** Greatest lag of search meanwhile. */
  readonly ageBesideImportSeconds: number;
  /** 99th percentile of uncached reads over REST meanwhile, in milliseconds. */
  readonly readsBesideImportP99Ms: number;
  readonly indexedAfterSeconds: number;
  /** Bytes per offer of an index outside of the database. */
  readonly bytesPerOffer: number | undefined;
  /** Import of changed prices, in the order of regions. */
  readonly saleImportSeconds: number;
  readonly saleFoundAfterSeconds: number;
  /** Bytes that the database logged since the start of that import; undefined for PGlite. */
  readonly saleLogBytes: number | undefined;
}

/** The database, the search engine and the data of a measurement. */
export interface FollowingOptions {
  readonly database: "pglite" | "postgres";
  readonly backend: SearchBackend;
  readonly data: SharedData;
}

/** Imports the real catalogue, then a sale, and waits for each until every changed price is found. */
export async function measureFollowing(options: FollowingOptions): Promise<FollowingFigures> {
  const { database, backend, data } = options;
  const directory = await makeTemporaryDirectory();
  const postgres = database === "postgres" ? await startPostgres() : undefined;
  const databaseEnv = postgres && { DATABASE_URL: postgres.url };
  const stack = await startStack({ env: { ...databaseEnv, ...backend.env } });
  try {
    const { catalog, prices } = data.importFiles;
    const transport = createTransport({ baseUrl: stack.services["search"]?.url ?? "" });
    const search = createClient(SearchService, transport);
    const health = createClient(HealthService, transport);
    const total = async (region: string, price?: { min?: bigint }) =>
      Number((await search.searchOffers({ query: { price }, region })).totalSize);
    const untilFound = async ({ counts }: Sale, price: { min?: bigint }) => {
      const startedAtMs = performance.now();
      for (const [region, count] of counts) {
        // Searches fail until there is an index.
        for (;;) {
          const found = await total(region, price).catch((error: unknown) => error);
          if (found === count) break;
          if (performance.now() - startedAtMs > foundTimeoutMs) {
            throw new Error(`${region}: ${String(found)} of ${count} prices were found`);
          }
          await sleep(lookMs);
        }
      }
      return (performance.now() - startedAtMs) / 1_000;
    };
    await secondsOfImport(stack, catalog);
    await untilFollowed(stack, () => undefined);
    const age = new MostAge(async () => {
      const { dependencies } = await health.checkHealth({});
      return dependencies.find(({ name }) => name === "pricing")?.lagSeconds ?? 0;
    });
    const reads = readPaced(stack.gatewayUrl, await offerIds(catalog));
    const importSeconds = await secondsOfImport(stack, prices);
    const readsBesideImportP99Ms = await reads.end();
    const ageBesideImportSeconds = age.end();
    const indexedAfterSeconds = await untilFound(await saleOf(prices, Infinity), {});
    const bytes = await backend.memory();
    const sale = await saleOf(prices, changedPrices);
    const file = directory.file("sale.ndjson");
    await writeFile(file, sale.lines.join("\n"));
    const before = await logPosition(postgres?.url);
    const saleImportSeconds = await secondsOfImport(stack, file);
    const saleFoundAfterSeconds = await untilFound(sale, { min: BigInt(salePrice) });
    const after = await logPosition(postgres?.url);
    return {
      importSeconds,
      ageBesideImportSeconds,
      readsBesideImportP99Ms,
      indexedAfterSeconds,
      bytesPerOffer: bytes === undefined ? undefined : bytes / (await total("US")),
      saleImportSeconds,
      saleFoundAfterSeconds,
      saleLogBytes: before === undefined || after === undefined ? undefined : after - before,
    };
  } finally {
    await stack.stop();
    await postgres?.stop();
    await directory.remove();
  }
}

/** The greatest age that was seen, in seconds. */
class MostAge {
  readonly #looking: NodeJS.Timeout;
  #most = 0;

  constructor(look: () => Promise<number>) {
    this.#looking = setInterval(() => {
      // A failed look does not count.
      void look().then(
        (seconds) => (this.#most = Math.max(this.#most, seconds)),
        () => undefined,
      );
    }, 250);
  }

  end(): number {
    clearInterval(this.#looking);
    return this.#most;
  }
}

/** Reads one offer after the other, each once, so that the gateway has none of them cached. */
function readPaced(gatewayUrl: string, ids: readonly string[]) {
  const reads: Promise<number>[] = [];
  const timer = setInterval(() => {
    const id = ids[reads.length % ids.length] ?? "";
    reads.push(msOfRead(`${gatewayUrl}/offers/${id}`));
  }, readIntervalMs);
  return {
    /** Resolves with the 99th percentile, in milliseconds. */
    async end(): Promise<number> {
      clearInterval(timer);
      return percentile(await Promise.all(reads), 0.99);
    },
  };
}

async function msOfRead(url: string): Promise<number> {
  const startedAtMs = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return performance.now() - startedAtMs;
}

async function offerIds(file: string): Promise<string[]> {
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split("\n");
  return lines
    .map((line) => JSON.parse(line) as { kind: string; record: { id: string } })
    .filter(({ kind }) => kind === "offer")
    .map(({ record }) => record.id);
}

async function secondsOfImport(stack: TestStack, file: string): Promise<number> {
  const startedAtMs = performance.now();
  const { status, stderr } = await stack.cli(["import", file]);
  if (status !== 0) throw new Error(`The import ended with status ${status}: ${stderr}`);
  return (performance.now() - startedAtMs) / 1_000;
}

/** How many bytes the database has logged. */
async function logPosition(url: string | undefined): Promise<number | undefined> {
  if (url === undefined) return undefined;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ position: number }>(
      "select (pg_current_wal_insert_lsn() - '0/0')::float8 as position",
    );
    return rows[0]?.position;
  } finally {
    await client.end();
  }
}
