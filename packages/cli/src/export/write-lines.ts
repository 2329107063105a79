import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { userErrorOf } from "../user-error.ts";

/**
 * Writes text to a file, gzip-compressed when its name ends in `.gz`, or plain to standard output
 * for `-`. Until it is complete, the file has the ending `.unfinished`.
 *
 * @throws UserError when the file cannot be written; errors of the text's source, unchanged.
 */
export async function writeLines(
  name: string,
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const source = Readable.from(texts);
  if (name === "-") {
    await pipeline(source, process.stdout, { end: false });
    return;
  }
  const draft = `${name}.unfinished`;
  try {
    const file = createWriteStream(draft);
    if (name.endsWith(".gz")) await pipeline(source, createGzip(), file);
    else await pipeline(source, file);
    await rename(draft, name);
  } catch (error) {
    await rm(draft, { force: true });
    if (!isFileError(error)) throw error;
    throw userErrorOf(`The file ${name} cannot be written`, error);
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "path" in error;
}
