import { Worker } from "node:worker_threads";

/** Messages to the thread. */
export type VectorMessage =
  | {
      readonly kind: "set";
      readonly numbers: Int32Array;
      /** Bytes of each stored vector; 0 for a removed one. */
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

/** Why and when a thread ended, by `performance.now()`. */
export interface Failure {
  readonly error: Error;
  readonly atMs: number;
}

/** Stores and compares vectors in a worker thread, so that the service's thread is not blocked. */
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
    this.#worker.on("exit", () => this.#fail(new Error("the vector thread has ended")));
    // The worker must not keep the process alive; listeners reference it.
    this.#worker.unref();
  }

  /** Undefined while it runs. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Sets stored vectors by number; null removes one. */
  set(rows: readonly { number: number; vector: Uint8Array | null }[]): void {
    const lengths = Int32Array.from(rows, ({ vector }) => vector?.length ?? 0);
    const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
    let start = 0;
    for (const { vector } of rows) {
      if (vector !== null) bytes.set(vector, start);
      start += vector?.length ?? 0;
    }
    const numbers = Int32Array.from(rows, ({ number }) => number);
    this.#send({ kind: "set", numbers, lengths, bytes }, [
      numbers.buffer,
      lengths.buffer,
      bytes.buffer,
    ]);
  }

  /** As {@link VectorScan.nearest}, with all vectors set before. */
  nearest(vector: Float32Array, limit: number, among?: Int32Array): Promise<Int32Array> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    const question = this.#questions++;
    const response = Promise.withResolvers<Int32Array>();
    this.#waiting.set(question, response);
    // A copy, since a subarray is cloned with its whole buffer.
    const candidates = among?.slice();
    this.#send(
      { kind: "nearest", question, vector, limit, among: candidates },
      candidates === undefined ? [] : [candidates.buffer],
    );
    return response.promise;
  }

  /** Ends the thread after its current work. */
  end(): void {
    this.#send({ kind: "end" });
  }

  #send(message: VectorMessage, transferred: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transferred);
  }

  #fail(error: Error): void {
    this.#failure ??= { error, atMs: performance.now() };
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
