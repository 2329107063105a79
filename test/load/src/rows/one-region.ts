import { asRegion } from "@storefront/domain/identifiers";
import { regions } from "@storefront/domain/regions";
import { makeTemporaryDirectory, startPostgres, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { createWriteStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fillRegions } from "../growth/fill-regions.ts";
import { growthLines, modelRegion } from "../growth/growth-lines.ts";
import { untilFollowed } from "../growth/until-followed.ts";
import { residentMebibytes } from "../resident-mebibytes.ts";
import { limitRow, rounded } from "../row.ts";
import type { Row, RowGroup } from "../row.ts";

const offers = 50_000;

/** Between searches while a new region is imported, in milliseconds. */
const searchEveryMs = 100;
const indexTimeoutMs = 600_000;

/** What the rows share: offers with prices in one region. */
interface Shop {
  stack: TestStack;
  databaseUrl: string;
  /** Offers that a search finds with a price; some are not searchable. */
  priced: number;
  /** Restarts the stack on the same database, so that it uses only the memory that it then needs. */
  restart(): Promise<void>;
  write(name: string, lines: Iterable<string>): Promise<string>;
  stop(): Promise<void>;
}

type ShopOf = (report: (progress: string) => void) => Promise<Shop>;

async function startShop(report: (progress: string) => void): Promise<Shop> {
  await using opened = new AsyncDisposableStack();
  const files = opened.adopt(await makeTemporaryDirectory(), (directory) => directory.remove());
  const postgres = opened.adopt(await startPostgres(), (server) => server.stop());
  const dataDirectory = files.file("stack");
  const start = () => startStack({ dataDirectory, env: { DATABASE_URL: postgres.url } });
  const shop = { stack: await start() };
  opened.defer(async () => void (await shop.stack.stop()));
  const write = async (name: string, lines: Iterable<string>) => {
    const file = files.file(`${name}.ndjson`);
    await pipeline(Readable.from(withLineFeeds(lines)), createWriteStream(file));
    return file;
  };
  await importFile(shop.stack, await write("offers", linesOfOneRegion()));
  await untilFollowed(shop.stack, report);
  const priced = (await countPriced(shop.stack, "US")) ?? 0;
  const resources = opened.move();
  return Object.assign(shop, {
    databaseUrl: postgres.url,
    priced,
    write,
    async restart() {
      await shop.stack.stop();
      shop.stack = await start();
    },
    stop: () => resources.disposeAsync(),
  });
}

function* withLineFeeds(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

function* linesOfOneRegion(): Generator<string> {
  for (const line of growthLines(offers)) {
    const { kind, record } = JSON.parse(line) as { kind: string; record: { region?: string } };
    if (kind !== "price" || record.region === modelRegion) yield line;
  }
}

async function importFile(stack: TestStack, file: string): Promise<void> {
  const { status, stderr } = await stack.cli(["import", file]);
  if (status !== 0) throw new Error(`The import ended with status ${status}: ${stderr}`);
}

/** Offers with a price in the country; undefined where the search fails. */
async function countPriced(stack: TestStack, country: string): Promise<number | undefined> {
  const response = await fetch(`${stack.gatewayUrl}/search/v2/search?country=${country}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ price: {}, sortBy: "price", sortDir: "asc", limit: 1 }),
  });
  const { total } = (await response.json()) as { total?: number };
  return response.status === 200 ? total : undefined;
}

async function untilFound(stack: TestStack, country: string, wanted: number): Promise<void> {
  const deadlineAtMs = performance.now() + indexTimeoutMs;
  for (;;) {
    const total = await countPriced(stack, country);
    if (total === wanted) return;
    if (performance.now() > deadlineAtMs) throw new Error(`${total} of ${wanted} are indexed.`);
    await sleep(searchEveryMs);
  }
}

/** How much a started stack grows by searches in each of the countries, in MiB. */
async function growthBySearches(shop: Shop, countries: readonly string[]): Promise<number> {
  await shop.restart();
  const { stack } = shop;
  const pid = await stack.servicesPid();
  // Loads what every search needs. Where all regions have prices, this loads those of one.
  while ((await countPriced(stack, "KP")) === undefined) await sleep(searchEveryMs);
  const before = await residentMebibytes(pid);
  for (const country of countries) await untilFound(stack, country, shop.priced);
  return (await residentMebibytes(pid)) - before;
}

function memoryOfOneRegion(shopOf: ShopOf): Row {
  return {
    number: 37,
    case: `MiB by which searches make the services grow, ${offers} offers priced in one region; in all 52`,
    goal: 0.125,
    goalIs: "at most",
    async measure(report) {
      const shop = await shopOf(report);
      const ours = await growthBySearches(shop, ["US"]);
      await fillRegions(shop.databaseUrl, report);
      const countries = regions.flatMap(({ countries: [first] }) => first ?? []);
      const peer = await growthBySearches(shop, countries);
      return { ours: Math.round(ours), peer: Math.round(peer), ratio: rounded(ours / peer) };
    },
  };
}

const secondsLimit = 5;

/** A user-assigned code of ISO 3166: no region has it. */
const added = { region: asRegion("NEW"), country: "QX" };

function* linesOfNewRegion(): Generator<string> {
  const observedAt = "2026-01-02T00:00:00Z";
  const region = { id: added.region, currencyCode: "USD", currencyDecimals: 2 };
  const record = { ...region, countries: [added.country] };
  yield JSON.stringify({ kind: "region", op: "upsert", observedAt, record });
  for (const line of linesOfOneRegion()) {
    const { kind, record: price } = JSON.parse(line) as { kind: string; record: object };
    if (kind !== "price") continue;
    yield JSON.stringify({ kind, observedAt, record: { ...price, region: added.region } });
  }
}

function newRegion(shopOf: ShopOf): Row {
  return limitRow({
    number: 36,
    case: `s from the end of an import of a new region with ${offers} prices to a search of all; the limit`,
    limit: secondsLimit,
    async measure(report) {
      const shop = await shopOf(report);
      const file = await shop.write("region", linesOfNewRegion());
      const watching = new AbortController();
      const failures = countFailures(shop, watching.signal);
      await importFile(shop.stack, file);
      const endedAtMs = performance.now();
      await untilFound(shop.stack, added.country, shop.priced);
      const seconds = (performance.now() - endedAtMs) / 1000;
      watching.abort();
      const { searches, failed } = await failures;
      report(`${failed} of ${searches} searches failed meanwhile`);
      if (failed > 0) throw new Error(`${failed} searches failed.`);
      return rounded(seconds);
    },
  });
}

/** Searches in another region until the signal aborts. */
async function countFailures({ stack, priced }: Shop, signal: AbortSignal) {
  const counts = { searches: 0, failed: 0 };
  while (!signal.aborted) {
    counts.searches++;
    if ((await countPriced(stack, "US")) !== priced) counts.failed++;
    await sleep(searchEveryMs);
  }
  return counts;
}

/** Rows 36 and 37, about one catalogue. */
export function regionRows(): RowGroup {
  let started: Promise<Shop> | undefined;
  const shopOf = (report: (progress: string) => void) => (started ??= startShop(report));
  return {
    rows: [newRegion(shopOf), memoryOfOneRegion(shopOf)],
    async stop() {
      await (await started)?.stop();
    },
  };
}
