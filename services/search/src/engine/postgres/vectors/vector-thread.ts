import { Worker } from "node:worker_threads";

/** What the thread is told. */
export type VectorMessage =
  | {
      readonly kind: "set";
      readonly numbers: Int32Array;
      /** Bytes of each vector, as it is stored; 0 for one that is gone. */
      readonly lengths: Int32Array;
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: "nearest";
      readonly question: number;
      readonly vector: Float32Array;
      readonly limit: number;
      readonly among: Int32Array | undefined;
    }
  | { readonly kind: "end" };

interface VectorResponse {
  readonly question: number;
  readonly numbers: Int32Array;
}

/** Why a thread has ended, and when, by `performance.now()`. */
export interface Failure {
  readonly error: Error;
  readonly atMs: number;
}

/** Holds vectors and compares with them in a thread of its own, so that the service's goes on with other calls. */
export class VectorThread {
  readonly #worker = new Worker(new URL("./vector-worker.ts", import.meta.url));
  readonly #waiting = new Map<number, PromiseWithResolvers<Int32Array>>();
  #questions = 0;
  #failure: Failure | undefined;

  constructor() {
    this.#worker.on("message", ({ question, numbers }: VectorResponse) => {
      this.#waiting.get(question)?.resolve(numbers);
      this.#waiting.delete(question);
    });
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the thread of the vectors has ended")));
    // Listeners let it count; it is no reason for the process to stay.
    this.#worker.unref();
  }

  /** Why it has stopped; undefined while it runs. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Vectors as they are stored, each in place of any other of its number; null for one that is gone. */
  set(rows: readonly { number: number; vector: Uint8Array | null }[]): void {
    const lengths = Int32Array.from(rows, ({ vector }) => vector?.length ?? 0);
    const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
    let start = 0;
    for (const { vector } of rows) {
      if (vector !== null) bytes.set(vector, start);
      start += vector?.length ?? 0;
    }
    const numbers = Int32Array.from(rows, ({ number }) => number);
    this.#tell({ kind: "set", numbers, lengths, bytes }, [
      numbers.buffer,
      lengths.buffer,
      bytes.buffer,
    ]);
  }

  /** As {@link VectorScan.nearest}, with all that was set before. */
  nearest(vector: Float32Array, limit: number, among?: Int32Array): Promise<Int32Array> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    const question = this.#questions++;
    const response = Promise.withResolvers<Int32Array>();
    this.#waiting.set(question, response);
    // A copy, since a part of an array is cloned with all that it is a part of.
    const asked = among?.slice();
    this.#tell(
      { kind: "nearest", question, vector, limit, among: asked },
      asked === undefined ? [] : [asked.buffer],
    );
    return response.promise;
  }

  /** Ends it when it has answered. */
  end(): void {
    this.#tell({ kind: "end" });
  }

  #tell(message: VectorMessage, transferred: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transferred);
  }

  #fail(error: Error): void {
    this.#failure ??= { error, atMs: performance.now() };
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
