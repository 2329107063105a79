import { createWriteStream } from "node:fs";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** Lines of a part by default: imported at once, and lost when an import is interrupted. */
const defaultPartLines = 1_000_000;

/** Lines per write; writing them one by one would take longer than generating them. */
const textLines = 500;

/**
 * Writes lines into compressed files, a million into each. Existing parts are skipped, so that
 * an interrupted run resumes.
 *
 * @returns their paths, in order.
 */
export async function writeParts(
  directory: string,
  lines: Iterator<string>,
  partLines = defaultPartLines,
): Promise<string[]> {
  const known = new Set(await readdir(directory));
  const parts: string[] = [];
  for (let isWhole = true; isWhole;) {
    const name = `part-${String(parts.length).padStart(3, "0")}.ndjson.gz`;
    const path = join(directory, name);
    const part = new PartOfLines(lines, partLines);
    if (known.has(name)) for (const text of part.texts()) void text;
    else {
      const draft = `${path}.unfinished`;
      await pipeline(
        Readable.from(part.texts()),
        createGzip({ level: 1 }),
        createWriteStream(draft),
      );
      await rename(draft, path);
    }
    parts.push(path);
    isWhole = part.count === partLines;
  }
  return parts;
}

/** The next lines, as many as are in a part. */
class PartOfLines {
  readonly #lines: Iterator<string>;
  readonly #partLines: number;
  /** How many lines there were. */
  count = 0;

  constructor(lines: Iterator<string>, partLines: number) {
    this.#lines = lines;
    this.#partLines = partLines;
  }

  *texts(): Generator<string> {
    for (let text: string[] = []; ;) {
      const next = this.count < this.#partLines ? this.#lines.next() : undefined;
      if (next === undefined || next.done === true) {
        yield text.join("");
        return;
      }
      this.count += 1;
      text.push(next.value, "\n");
      if (text.length < 2 * textLines) continue;
      yield text.join("");
      text = [];
    }
  }
}
