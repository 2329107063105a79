import { isUtf8 } from "node:buffer";
import { limits, restoredLineStart } from "@storefront/import-format";

/** One line of a file, or why it cannot be read. */
export type Line =
  | { number: number; text: string; sizeBytes: number }
  | { number: number; problem: string };

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

/** Longest restored line, in bytes: an entry has two states of a record, member by member. */
const restoredLineBytes = 64 * 1024 * 1024;

/**
 * Cuts a stream of bytes into lines, one array for each chunk. Memory is bounded by the chunk and
 * the line limit: an overlong line is skipped. Blank lines are counted but not yielded;
 * `\r\n` ends a line as `\n` does, and a byte order mark at the start is dropped.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  const cutter = new LineCutter();
  for await (const chunk of chunks) {
    const lines = cutter.take(chunk);
    if (lines.length > 0) yield lines;
  }
  const last = cutter.end();
  if (last !== undefined) yield [last];
}

class LineCutter {
  #number = 0;
  /** The start of a line that continues in the next chunk. */
  #parts: Buffer[] = [];
  #sizeBytes = 0;
  #isOverLong = false;
  /** Of the current line; depends on its start, which is read only when the line is longer than most. */
  #limitBytes: number = limits.lineBytes;

  take(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end === -1) break;
      this.#append(chunk.subarray(start, end));
      const line = this.#finish();
      if (line !== undefined) lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
    return lines;
  }

  /** The line after the last line feed, if there is one. */
  end(): Line | undefined {
    return this.#sizeBytes > 0 || this.#isOverLong ? this.#finish() : undefined;
  }

  #append(part: Buffer): void {
    // One byte more than the limit is room for a carriage return.
    const newBytes = this.#sizeBytes + part.length;
    if (newBytes > limits.lineBytes && this.#sizeBytes <= limits.lineBytes) {
      this.#limitBytes = isRestored([...this.#parts, part]) ? restoredLineBytes : limits.lineBytes;
    }
    if (this.#isOverLong || newBytes > this.#limitBytes + 1) {
      this.#isOverLong = true;
      this.#parts = [];
      return;
    }
    if (part.length > 0) this.#parts.push(part);
    this.#sizeBytes += part.length;
  }

  #finish(): Line | undefined {
    this.#number += 1;
    const number = this.#number;
    const bytes = withoutEnds(number, this.#joined());
    const isOverLong = this.#isOverLong || bytes.length > this.#limitBytes;
    this.#parts = [];
    this.#sizeBytes = 0;
    this.#isOverLong = false;
    this.#limitBytes = limits.lineBytes;
    if (isOverLong) return { number, problem: "the line must be at most 1 MiB" };
    if (!isUtf8(bytes)) return { number, problem: "the line is not UTF-8" };
    const text = bytes.toString("utf8");
    return isBlank(text) ? undefined : { number, text, sizeBytes: bytes.length };
  }

  #joined(): Buffer {
    const [first, ...others] = this.#parts;
    if (first === undefined) return Buffer.alloc(0);
    return others.length === 0 ? first : Buffer.concat(this.#parts);
  }
}

function isRestored(parts: readonly Buffer[]): boolean {
  const start = Buffer.concat(parts.map((part) => part.subarray(0, restoredLineStart.length)));
  return start.toString("latin1").startsWith(restoredLineStart);
}

function withoutEnds(number: number, bytes: Buffer): Buffer {
  const hasMark = number === 1 && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const start = hasMark ? byteOrderMark.length : 0;
  const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
  return bytes.subarray(start, Math.max(start, end));
}

function isBlank(text: string): boolean {
  // Nearly every line starts with a brace; only the others are worth trimming.
  return !text.startsWith("{") && text.trim() === "";
}
