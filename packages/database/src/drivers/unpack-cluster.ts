import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A tar archive consists of blocks of so many bytes: a header, then the file. */
const blockBytes = 512;

/** The type of a header that stands for a directory. */
const directoryType = "5";

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
  for (const { path, isDirectory, content } of entriesOf(archive)) {
    const place = join(directory, path);
    if (isDirectory) mkdirSync(place, { mode: 0o700 });
    else writeFileSync(place, content, { mode: 0o600 });
  }
}

/** What a tar archive without long names holds, each directory before what is in it. */
function* entriesOf(archive: Buffer) {
  for (let at = 0; archive[at] !== undefined && archive[at] !== 0;) {
    const header = archive.subarray(at, at + blockBytes);
    const size = Number.parseInt(textOf(header, 124, 12), 8);
    const start = at + blockBytes;
    yield {
      path: textOf(header, 0, 100),
      isDirectory: textOf(header, 156, 1) === directoryType,
      content: archive.subarray(start, start + size),
    };
    at = start + Math.ceil(size / blockBytes) * blockBytes;
  }
}

/** A member of a header, which ends with its first zero or with its place. */
function textOf(header: Buffer, start: number, length: number): string {
  return header.toString("latin1", start, start + length).replace(/\0.*$/s, "");
}
