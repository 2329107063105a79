import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { mkdirSync } from "node:fs";
import { UnpackSync } from "tar";

/** A warning that is none: the paths in the archive are absolute, and are unpacked below the directory. */
const hintCode = "TAR_ENTRY_INFO";

/**
 * Makes PGlite's files in a directory that is not there yet, out of an archive that its publisher has
 * made: to have PostgreSQL make them takes some 4 s of processor time, and 400 MiB that a process never
 * gives back. Like PostgreSQL it lets nobody else read them.
 *
 * @throws Error when the archive is not whole.
 */
export async function unpackCluster(directory: string): Promise<void> {
  const archive = await dataDir();
  unpackArchive(Buffer.from(await archive.arrayBuffer()), directory);
}

/** Unpacks a compressed archive; see `unpackCluster`. */
export function unpackArchive(archive: Buffer, directory: string): void {
  mkdirSync(directory, { mode: 0o700 });
  // A thousand small files: one after the other by the event loop they take ten times as long.
  const unpack = new UnpackSync({
    cwd: directory,
    onwarn(code, warning) {
      if (code !== hintCode) throw typeof warning === "string" ? new Error(warning) : warning;
    },
  });
  unpack.end(archive);
}
