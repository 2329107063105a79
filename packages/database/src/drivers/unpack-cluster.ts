import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { tarEntries } from "./tar-entries.ts";

/**
 * Makes PGlite's files in a directory that is not there yet, out of an archive that its publisher has
 * made: to have PostgreSQL make them takes some 4 s of processor time, and 400 MiB that a process never
 * gives back. Like PostgreSQL it lets nobody else read them.
 */
export async function unpackCluster(directory: string): Promise<void> {
  const packed = await dataDir();
  const archive = await promisify(gunzip)(await packed.arrayBuffer());
  mkdirSync(directory, { mode: 0o700 });
  // A thousand small files: one after the other by the event loop they take ten times as long.
  for (const { path, isDirectory, content } of tarEntries(archive)) {
    const place = join(directory, path);
    if (isDirectory) mkdirSync(place, { mode: 0o700 });
    else writeFileSync(place, content, { mode: 0o600 });
  }
}
