import { constants, existsSync } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { noOtherStack, runCli } from "./run-cli.ts";

/** Names the directory of a test run for migrated databases; without it none is cached. */
export const migratedDatabasesVariable = "STOREFRONT_MIGRATED_DATABASES";

/** Entries of a data directory that make up its embedded database. */
const parts = ["version", "pgdata"];

/**
 * Copies a migrated, empty embedded database into a data directory that has none, since creating one takes
 * several seconds. The first one of a test run is created, the others are copies of it.
 */
export async function copyMigratedDatabase(dataDirectory: string): Promise<void> {
  const cache = process.env[migratedDatabasesVariable];
  if (cache === undefined || existsSync(join(dataDirectory, "pgdata"))) return;
  const template = join(cache, "template");
  if (!existsSync(template)) await makeTemplate(cache, template);
  for (const part of parts) {
    await cp(join(template, part), join(dataDirectory, part), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
    });
  }
}

async function makeTemplate(cache: string, template: string): Promise<void> {
  const making = await mkdtemp(join(cache, "making-"));
  const { status, stderr } = await runCli(["migrate"], {
    env: { ...noOtherStack, DATA_DIR: making },
  });
  if (status !== 0) throw new Error(`No database was made:\n${stderr}`);
  // Another test file may have made it meanwhile.
  await rename(making, template).catch(() => rm(making, { recursive: true }));
}
