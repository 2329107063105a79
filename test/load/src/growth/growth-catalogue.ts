import { startPostgres, startStack } from "@storefront/testkit";
import type { TestServer, TestStack } from "@storefront/testkit";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fillCatalogue } from "./fill-catalogue.ts";
import type { Fill } from "./fill-catalogue.ts";
import { growthLines } from "./growth-lines.ts";
import { startSearchBackend } from "../search-backend.ts";
import type { SearchBackend, SearchEngineName } from "../search-backend.ts";
import { writeParts } from "./write-parts.ts";

/**
 * Settings of a small database server, on top of the defaults: its memory, and rarer checkpoints, so that
 * it logs less.
 */
const settings = {
  shared_buffers: "2GB",
  effective_cache_size: "6GB",
  maintenance_work_mem: "256MB",
  max_wal_size: "8GB",
  checkpoint_timeout: "15min",
};

/** A catalogue of some size in a running stack on PostgreSQL. */
export interface GrowthCatalogue {
  readonly offers: number;
  /** Where it is stored. */
  readonly directory: string;
  readonly postgres: TestServer;
  readonly stack: TestStack;
  readonly fill: Fill;
  readonly backend: SearchBackend;
  /** Stops all of it; the data stays. */
  stop(): Promise<void>;
}

/** A catalogue to open. */
export interface GrowthOptions {
  readonly offers: number;
  /** Where files and databases of all sizes are stored between runs. */
  readonly directory: string;
  readonly engine: SearchEngineName;
  readonly report: (progress: string) => void;
}

/** Writes the files of a size, starts its stack, and imports what is not imported yet. */
export async function openGrowthCatalogue(options: GrowthOptions): Promise<GrowthCatalogue> {
  const { offers, report } = options;
  const directory = join(options.directory, String(offers));
  const files = join(directory, "files");
  await mkdir(files, { recursive: true });
  report(`files of ${offers} offers in ${files}`);
  const parts = await writeParts(files, growthLines(offers));
  const backend = await startSearchBackend(options.engine);
  const postgres = await startPostgres({ directory: join(directory, "postgres"), settings });
  try {
    const stack = await startStack({
      dataDirectory: join(directory, "stack"),
      env: { DATABASE_URL: postgres.url, ...backend.env },
    });
    const stop = async () => {
      await stack.stop();
      await postgres.stop();
      await backend.stop();
    };
    try {
      const fill = await fillCatalogue({ stack, parts, directory, report });
      return { offers, directory, postgres, stack, fill, backend, stop };
    } catch (error) {
      await stack.stop();
      throw error;
    }
  } catch (error) {
    await postgres.stop();
    await backend.stop();
    throw error;
  }
}
