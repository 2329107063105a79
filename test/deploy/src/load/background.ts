import { setTimeout } from "node:timers/promises";
import { loadLimitMs } from "./cluster-address.ts";

/** Something that goes on until it is stopped. */
export interface Background {
  /** Lets what is in progress finish. */
  stop(): Promise<void>;
}

/**
 * Does something again and again, with a pause between, until it is stopped or the limit of all load
 * has passed.
 */
export function repeat(pauseMs: number, work: (round: number) => Promise<void>): Background {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(loadLimitMs)]);
  const running = (async () => {
    for (let round = 0; !signal.aborted; round += 1) {
      await work(round);
      // Stopped in the pause: that is all.
      await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Several that are stopped together. */
export function together(parts: readonly Background[]): Background {
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
