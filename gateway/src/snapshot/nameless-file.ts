import { createHash, randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** Bytes read at a time for each client. */
const chunkBytes = 64 * 1024;

/**
 * A file that has lost its name as soon as it was made, so that the system removes it with the last who has it
 * open: nobody meets one that is half written, and nothing stays behind, however the process ends.
 */
export class NamelessFile {
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  readonly #handle: FileHandle;
  /** Those who read it, and its owner. */
  #holders = 1;

  private constructor(handle: FileHandle, sizeBytes: number, sha256: Buffer) {
    this.#handle = handle;
    this.sizeBytes = sizeBytes;
    this.sha256 = sha256;
  }

  /**
   * Writes text, compressed by gzip, no faster than the disk takes it.
   *
   * @throws what the text's source throws, as it is; errors of the file system
   */
  static async write(
    directory: string,
    texts: AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<NamelessFile> {
    const path = join(directory, `storefront-${randomUUID()}`);
    const handle = await open(path, "wx+", 0o600);
    try {
      await unlink(path);
      const hash = createHash("sha256");
      let sizeBytes = 0;
      await pipeline(
        Readable.from(texts),
        createGzip(),
        async (chunks: AsyncIterable<Buffer>) => {
          for await (const chunk of chunks) {
            hash.update(chunk);
            await handle.writeFile(chunk);
            sizeBytes += chunk.length;
          }
        },
        { signal },
      );
      return new NamelessFile(handle, sizeBytes, hash.digest());
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Bytes from `start` to before `end`, also after the owner has let go of it. */
  async *read(start: number, end: number): AsyncGenerator<Buffer> {
    this.#holders++;
    try {
      for (let position = start; position < end;) {
        const length = Math.min(chunkBytes, end - position);
        const { bytesRead, buffer } = await this.#handle.read({
          buffer: Buffer.allocUnsafe(length),
          position,
        });
        if (bytesRead === 0) throw new Error("the file is shorter than it was");
        yield buffer.subarray(0, bytesRead);
        position += bytesRead;
      }
    } finally {
      await this.letGo();
    }
  }

  /** To be called once by the owner: the file goes when nobody reads it any more. */
  async letGo(): Promise<void> {
    this.#holders--;
    if (this.#holders === 0) await this.#handle.close();
  }
}
