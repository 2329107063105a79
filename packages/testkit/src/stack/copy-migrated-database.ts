import { constants, existsSync } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { noOtherStack, runCli } from "./run-cli.ts";

/** Names the directory of a test run that migrated databases are kept in; without it none is. */
export const migratedDatabasesVariable = "STOREFRONT_MIGRATED_DATABASES";

/** What a data directory's embedded database consists of. */
const parts = ["version", "pgdata"];

/**
 * Puts a migrated, empty embedded database into a data directory that has none: making one takes
 * several seconds, which is not what most tests of a stack are about. The first one of a test run is
 * made, the others are copies of it.
 */
export async function copyMigratedDatabase(dataDirectory: string): Promise<void> {
  const kept = process.env[migratedDatabasesVariable];
  if (kept === undefined || existsSync(join(dataDirectory, "pgdata"))) return;
  const template = join(kept, "template");
  if (!existsSync(template)) await makeTemplate(kept, template);
  for (const part of parts) {
    await cp(join(template, part), join(dataDirectory, part), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
    });
  }
}

async function makeTemplate(kept: string, template: string): Promise<void> {
  const making = await mkdtemp(join(kept, "making-"));
  const { status, stderr } = await runCli(["migrate"], {
    env: { ...noOtherStack, DATA_DIR: making },
  });
  if (status !== 0) throw new Error(`No database was made:\n${stderr}`);
  // Another test file may have been as quick.
  await rename(making, template).catch(() => rm(making, { recursive: true }));
}
