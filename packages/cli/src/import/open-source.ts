import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import { PassThrough } from "node:stream";
import { createGunzip } from "node:zlib";
import { UserError, userErrorOf } from "../user-error.ts";

/** The name of standard input on a command line. */
const standardInput = "-";

/** A file of lines, decompressed while it is read. */
export interface Source {
  name: string;
  /** Stored size of the file; undefined for standard input and other streams. */
  sizeBytes: number | undefined;
  /** Stored bytes read so far. */
  readBytes(): number;
  /**
   * The decompressed bytes; to be read once.
   *
   * @throws Error when reading fails, as at the end of a truncated gzip file.
   */
  chunks(): AsyncIterable<Buffer>;
}

const gzipMagic = Buffer.of(0x1f, 0x8b);

/** The bytes of a file, opened when they are read. */
export interface SourceFile {
  name: string;
  /** Undefined for standard input and other streams. */
  sizeBytes: number | undefined;
  open: () => Readable;
}

/**
 * Finds a file, or standard input for `-`.
 *
 * @throws UserError when there is no such file.
 */
export async function findFile(name: string, stdin: Readable = process.stdin): Promise<SourceFile> {
  if (name === standardInput) return { name, sizeBytes: undefined, open: () => stdin };
  return { name, sizeBytes: await fileSize(name), open: () => createReadStream(name) };
}

/**
 * Opens a file, or standard input for `-`. gzip is detected by its first two bytes, not by the name.
 *
 * @throws UserError when there is no such file.
 */
export async function openSource(name: string, stdin?: Readable): Promise<Source> {
  const { sizeBytes, open } = await findFile(name, stdin);
  return sourceOf(name, open, sizeBytes);
}

/** The lines of a stream of bytes, which is opened when they are read. */
export function sourceOf(
  name: string,
  open: () => AsyncIterable<unknown>,
  sizeBytes?: number,
): Source {
  let readBytes = 0;
  return {
    name,
    sizeBytes,
    readBytes: () => readBytes,
    chunks: () =>
      decompressed(open(), (bytes) => {
        readBytes += bytes;
      }),
  };
}

async function fileSize(name: string): Promise<number | undefined> {
  try {
    const found = await stat(name);
    if (found.isDirectory()) throw new UserError(`${name} is a directory, not a file.`);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw userErrorOf(`The file ${name} cannot be read`, error);
  }
}

async function* decompressed(
  file: AsyncIterable<unknown>,
  onRead: (sizeBytes: number) => void,
): AsyncGenerator<Buffer> {
  const counted = countBytes(file, onRead);
  const head = await readHead(counted);
  const whole = rejoin(head, counted);
  if (!Buffer.concat(head).subarray(0, gzipMagic.length).equals(gzipMagic)) {
    yield* whole;
    return;
  }
  const out = new PassThrough();
  const done = pipeline(whole, createGunzip(), out);
  // Reading `out` fails with the same error.
  done.catch(() => undefined);
  for await (const chunk of out) yield asBuffer(chunk);
  await done;
}

async function* countBytes(
  file: AsyncIterable<unknown>,
  onRead: (sizeBytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of file) {
    const bytes = asBuffer(chunk);
    onRead(bytes.length);
    yield bytes;
  }
}

/** The first chunks, until they contain the magic bytes or the file ends. */
async function readHead(chunks: AsyncGenerator<Buffer>): Promise<Buffer[]> {
  const head: Buffer[] = [];
  let sizeBytes = 0;
  while (sizeBytes < gzipMagic.length) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    head.push(value);
    sizeBytes += value.length;
  }
  return head;
}

async function* rejoin(
  head: readonly Buffer[],
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  yield* head;
  yield* rest;
}

function asBuffer(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk;
  if (typeof chunk === "string") return Buffer.from(chunk);
  throw new TypeError("A stream of bytes gave something else.");
}
