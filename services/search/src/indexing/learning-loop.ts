import type { Logger } from "@storefront/telemetry";
import { BackgroundLoop, idleMs } from "./background-loop.ts";
import type { EmbeddingDependencies } from "./queue-embedder.ts";
import { findOutgrown, retrain } from "./retrain.ts";

/**
 * Between looks while offers are written, each of which counts all of them, and at whether a catalogue
 * that has outgrown what is known stands still.
 */
const lookMs = 1_000;
const retryMs = 5_000;
/** A catalogue that never stands still is learned from after so many looks all the same. */
const maxLooks = 60;

/**
 * Lets the embedder learn anew when the catalogue has outgrown what it knows and stands still: an
 * import is not learned from half-way. Beside the embedding of what is written, which does not wait.
 */
export function createLearningLoop(deps: EmbeddingDependencies, logger: Logger): BackgroundLoop {
  let looks = 0;
  let offersAtLook = 0;

  /** Whether the catalogue is waited for to stand still. */
  async function look(signal: AbortSignal): Promise<boolean> {
    const outgrown = await findOutgrown(deps);
    if (outgrown === undefined) {
      looks = 0;
      return false;
    }
    const { generation, offers } = outgrown;
    looks += 1;
    const isSettled = looks > 1 && offers === offersAtLook;
    offersAtLook = offers;
    if (!isSettled && looks < maxLooks) return true;
    looks = 0;
    const hasLearned = await retrain(deps, generation, signal);
    if (hasLearned) logger.info({ offers }, "the embedder has learned from the catalogue");
    return false;
  }

  return new BackgroundLoop(deps.database.polling, async (signal, isWoken) => {
    const rest = { ms: lookMs, isIdle: false };
    try {
      return (await look(signal)) || isWoken ? rest : { ms: idleMs, isIdle: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "the embedder cannot learn now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
