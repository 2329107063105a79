import type { Logger } from "@storefront/telemetry";
import { setTimeout as sleep } from "node:timers/promises";
import { embedQueued, nextQueued } from "./embed-queued.ts";
import type { EmbeddingDependencies } from "./embed-queued.ts";

const maxBatch = 100;
/** Between looks at an empty queue: a write is to be found by meaning within 2 s. */
const idleMs = 300;
const firstRetryMs = 250;
/** Also for the sake of what is written while one offer is refused again and again. */
const maxRetryMs = 1_500;

/**
 * Embeds what is queued, for as long as it runs. What fails stays queued; smaller and smaller batches,
 * in turns, see to it that an offer that the embedder refuses does not keep others waiting.
 */
export class EmbeddingLoop {
  readonly #deps: EmbeddingDependencies;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #after = 0n;
  #batch = maxBatch;

  constructor(deps: EmbeddingDependencies, logger: Logger) {
    this.#deps = deps;
    this.#logger = logger;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends after the transaction under way. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      let pauseMs = 0;
      try {
        if (!(await this.#embedBatch(signal))) pauseMs = idleMs;
        else failures = 0;
      } catch (err) {
        if (signal.aborted) return;
        pauseMs = Math.min(firstRetryMs * 2 ** failures, maxRetryMs);
        // Once, not every time until it goes again.
        if (failures === 0) this.#logger.warn({ err }, "offers cannot be embedded now");
        failures += 1;
      }
      if (pauseMs > 0)
        await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Whether there was anything to embed. */
  async #embedBatch(signal: AbortSignal): Promise<boolean> {
    const queued = await nextQueued(this.#deps, this.#after, this.#batch);
    const last = queued.at(-1);
    if (last === undefined) {
      this.#after = 0n;
      return false;
    }
    this.#after = last.version;
    try {
      await embedQueued(this.#deps, queued, signal);
      this.#batch = Math.min(this.#batch * 2, maxBatch);
    } catch (error) {
      this.#batch = Math.max(Math.floor(queued.length / 4), 1);
      throw error;
    }
    return true;
  }
}
