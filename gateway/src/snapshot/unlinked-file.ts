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
 * A file that is unlinked as soon as it is created: the system removes it once it is closed, however the process ends,
 * and no other process can open it half written.
 */
export class UnlinkedFile {
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  readonly #handle: FileHandle;
  /** Of its owner and those who read it. */
  #references = 1;

  private constructor(handle: FileHandle, sizeBytes: number, sha256: Buffer) {
    this.#handle = handle;
    this.sizeBytes = sizeBytes;
    this.sha256 = sha256;
  }

  /**
   * Writes text, compressed by gzip, no faster than the disk takes it.
   *
   * @throws errors of `texts` and of the file system
   */
  static async write(
    directory: string,
    texts: AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<UnlinkedFile> {
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
      return new UnlinkedFile(handle, sizeBytes, hash.digest());
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Bytes from `start` up to and including `end`, also after the owner has released it. */
  async *read(start: number, end: number): AsyncGenerator<Buffer> {
    this.#references++;
    try {
      for (let position = start; position <= end;) {
        const length = Math.min(chunkBytes, end + 1 - position);
        const { bytesRead, buffer } = await this.#handle.read({
          buffer: Buffer.allocUnsafe(length),
          position,
        });
        if (bytesRead === 0) throw new Error("the file is shorter than it was");
        yield buffer.subarray(0, bytesRead);
        position += bytesRead;
      }
    } finally {
      await this.release();
    }
  }

  /** Called once by the owner: the file is closed once it is not read any more. */
  async release(): Promise<void> {
    this.#references--;
    if (this.#references === 0) await this.#handle.close();
  }
}
