import type { Logger } from "@storefront/telemetry";
import { setTimeout as sleep } from "node:timers/promises";
import { embedQueued, nextQueued } from "./embed-queued.ts";
import type { EmbeddingDependencies } from "./embed-queued.ts";
import { findOutgrown, retrain } from "./retrain.ts";

const maxBatch = 100;
/** Between looks at an empty queue: a write is to be found by meaning within 2 s. */
const idleMs = 300;
/** Between looks at how much the catalogue has grown. */
const growthLookMs = 2_000;
/** A catalogue that never stands still is learned from after so many looks all the same. */
const maxLooks = 30;
const firstRetryMs = 500;
const maxRetryMs = 30_000;

/**
 * Embeds what is queued, for as long as it runs, and lets the embedder learn anew when the catalogue
 * has outgrown what it knows. What fails stays queued; smaller and smaller batches, in turns, see to
 * it that an offer that the embedder refuses does not keep others waiting.
 */
export class EmbeddingLoop {
  readonly #deps: EmbeddingDependencies;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #after = 0n;
  #batch = maxBatch;
  #nextLookMs = 0;
  #looks = 0;
  #offersAtLook = 0;

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
        await this.#learn(signal);
        if (!(await this.#embedBatch(signal))) pauseMs = idleMs;
        else failures = 0;
      } catch (err) {
        if (signal.aborted) return;
        pauseMs = Math.min(firstRetryMs * 2 ** failures, maxRetryMs);
        failures += 1;
        this.#logger.warn({ err }, "offers cannot be embedded now");
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
      this.#batch = Math.max(Math.floor(this.#batch / 4), 1);
      throw error;
    }
    return true;
  }

  /** When the catalogue has outgrown what was learned, and stands still: an import is not learned from half-way. */
  async #learn(signal: AbortSignal): Promise<void> {
    if (performance.now() < this.#nextLookMs) return;
    this.#nextLookMs = performance.now() + growthLookMs;
    const outgrown = await findOutgrown(this.#deps);
    if (outgrown === undefined) {
      this.#looks = 0;
      return;
    }
    const { generation, offers } = outgrown;
    this.#looks += 1;
    const isSettled = this.#looks > 1 && offers === this.#offersAtLook;
    this.#offersAtLook = offers;
    if (!isSettled && this.#looks < maxLooks) return;
    this.#looks = 0;
    await retrain(this.#deps, generation, signal);
    this.#logger.info({ offers }, "the embedder has learned from the catalogue");
  }
}
