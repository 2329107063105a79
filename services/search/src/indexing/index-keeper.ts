import type { Logger } from "@storefront/telemetry";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureIndex } from "./ensure-index.ts";
import type { ReindexDependencies } from "./reindex.ts";
import { sweepGenerations } from "./retire-generations.ts";

const retryMs = 1_000;
const sweepMs = 60_000;

/** Makes the index if there is none, or another one is asked for; then sweeps up what broken reindexes left. */
export class IndexKeeper {
  readonly #deps: ReindexDependencies;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(deps: ReindexDependencies, logger: Logger) {
    this.#deps = deps;
    this.#logger = logger;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends what is under way; a build is begun anew another time. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let isMade = false;
    while (!signal.aborted) {
      try {
        if (isMade) await sweepGenerations(this.#deps);
        else await ensureIndex(this.#deps, this.#logger, signal);
        isMade = true;
      } catch (err) {
        if (!signal.aborted) this.#logger.warn({ err }, "the index cannot be looked after now");
      }
      const pauseMs = isMade ? sweepMs : retryMs;
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
