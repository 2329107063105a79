import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { startGatewayProcess } from "../catalogue/start-gateway-process.ts";
import { askedRecords } from "./asked-records.ts";
import { fillRegions } from "./fill-regions.ts";
import { openGrowthCatalogue } from "./growth-catalogue.ts";
import type { GrowthCatalogue } from "./growth-catalogue.ts";
import { cachedRead, growthReads } from "./growth-questions.ts";
import { measureRead } from "./measure-read.ts";
import type { ReadCost } from "./measure-read.ts";
import { measureReindex } from "./measure-reindex.ts";
import type { ReindexCost } from "./measure-reindex.ts";
import { postgresSeconds, processorSeconds } from "../processor-time.ts";
import type { SearchEngineName } from "../search-backend.ts";
import { untilFollowed } from "./until-followed.ts";

/** The costs of a catalogue of one size. */
export interface GrowthFigures {
  readonly offers: number;
  readonly prices: number;
  /** Lines of its import per second, over all parts. */
  readonly importPerSecond: number;
  readonly databaseBytes: number;
  /** Memory of an index outside of the database, with its vectors. */
  readonly indexBytes: number | undefined;
  /** Undefined when it was skipped. */
  readonly reindex: ReindexCost | undefined;
  readonly reads: readonly ReadCost[];
  /** ISO 8601 time. */
  readonly measuredAt: string;
}

/** What is measured, and how thoroughly. */
export interface GrowthSettings {
  readonly sizes: readonly number[];
  /** Where files, databases and figures are stored between runs. */
  readonly directory: string;
  readonly roundSeconds: number;
  /** Whether to rebuild the index before the reads. */
  readonly reindexes: boolean;
  readonly engine: SearchEngineName;
  readonly report: (progress: string) => void;
}

/** Measures catalogues of several sizes, one after the other; continues with those that are stored. */
export async function measureGrowth(settings: GrowthSettings): Promise<GrowthFigures[]> {
  const all: GrowthFigures[] = [];
  for (const offers of settings.sizes) {
    const { directory, engine, report } = settings;
    const catalogue = await openGrowthCatalogue({ offers, directory, engine, report });
    try {
      const figures = await measureCatalogue(catalogue, settings);
      all.push(figures);
      await writeFile(join(directory, String(offers), "figures.json"), JSON.stringify(figures));
    } finally {
      await catalogue.stop();
    }
  }
  return all;
}

async function measureCatalogue(
  catalogue: GrowthCatalogue,
  { roundSeconds, reindexes, report }: GrowthSettings,
): Promise<GrowthFigures> {
  const { offers, stack, postgres, directory, fill, backend } = catalogue;
  await untilFollowed(stack, report);
  await fillRegions(postgres.url, report);
  const reindex = reindexes ? await measureReindex(stack) : undefined;
  if (reindex !== undefined) report(`reindexed: ${JSON.stringify(reindex)}`);
  const { databaseBytes, prices } = await analyzed(postgres.url);
  const gateway = await startGatewayProcess(stack.services, { RESPONSE_CACHE_MIB: "0" });
  try {
    const servicesPid = await stack.servicesPid();
    const processorsOf = (gatewayPid: number) => async () => ({
      gateway: await processorSeconds(gatewayPid),
      services: await processorSeconds(servicesPid),
      database: await postgresSeconds(join(directory, "postgres")),
    });
    const fresh = { url: gateway.url, processors: processorsOf(gateway.pid) };
    const caching = { url: stack.gatewayUrl, processors: processorsOf(stack.process.pid ?? 0) };
    const asked = await askedRecords(postgres.url);
    const reads: ReadCost[] = [];
    for (const read of [cachedRead(asked), ...growthReads(asked)]) {
      const { url, processors } = read.isCached === true ? caching : fresh;
      reads.push(await measureRead(read, { url, roundSeconds, processors }));
      report(`${offers} offers, ${JSON.stringify(reads.at(-1))}`);
    }
    const lines = fill.parts.reduce((sum, part) => sum + part.lines, 0);
    const seconds = fill.parts.reduce((sum, part) => sum + part.seconds, 0);
    const measuredAt = new Date().toISOString();
    const importPerSecond = lines / seconds;
    const indexBytes = await backend.memory();
    const sizes = { offers, prices, databaseBytes, indexBytes };
    return { ...sizes, importPerSecond, reindex, reads, measuredAt };
  } finally {
    await gateway.stop();
  }
}

/** Sizes of a database, once its statistics are up to date. */
async function analyzed(databaseUrl: string): Promise<{ databaseBytes: number; prices: number }> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("vacuum (analyze)");
    const { rows } = await client.query<{ bytes: string; prices: string }>(
      `select pg_database_size(current_database()) as bytes,
        (select count(*) from pricing.price) as prices`,
    );
    return { databaseBytes: Number(rows[0]?.bytes), prices: Number(rows[0]?.prices) };
  } finally {
    await client.end();
  }
}
