import type { Logger } from "@storefront/telemetry";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddingDependencies } from "./embed-queued.ts";
import { findOutgrown, retrain } from "./retrain.ts";

/** Between looks at how much the catalogue has grown; each counts all offers. */
const idleMs = 5_000;
/** Between looks at whether a catalogue that has outgrown what is known stands still. */
const lookMs = 1_000;
/** A catalogue that never stands still is learned from after so many looks all the same. */
const maxLooks = 60;

/**
 * Lets the embedder learn anew when the catalogue has outgrown what it knows and stands still: an
 * import is not learned from half-way. Beside the embedding of what is written, which does not wait.
 */
export class LearningLoop {
  readonly #deps: EmbeddingDependencies;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
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
    while (!signal.aborted) {
      let pauseMs = idleMs;
      try {
        if (await this.#look(signal)) pauseMs = lookMs;
      } catch (err) {
        if (!signal.aborted) this.#logger.warn({ err }, "the embedder cannot learn now");
      }
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Whether the catalogue is waited for to stand still. */
  async #look(signal: AbortSignal): Promise<boolean> {
    const outgrown = await findOutgrown(this.#deps);
    if (outgrown === undefined) {
      this.#looks = 0;
      return false;
    }
    const { generation, offers } = outgrown;
    this.#looks += 1;
    const isSettled = this.#looks > 1 && offers === this.#offersAtLook;
    this.#offersAtLook = offers;
    if (!isSettled && this.#looks < maxLooks) return true;
    this.#looks = 0;
    const hasLearned = await retrain(this.#deps, generation, signal);
    if (hasLearned) this.#logger.info({ offers }, "the embedder has learned from the catalogue");
    return false;
  }
}
