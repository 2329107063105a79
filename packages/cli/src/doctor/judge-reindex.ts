import { reindexSentence } from "../reindex/reindex-status.ts";
import type { ReindexStatus } from "../reindex/reindex-status.ts";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

/** A reindex that has not come forward for so long hangs; the training of an embedder takes minutes. */
const longMs = 15 * 60_000;

/** How the reindex under way is, or how the last one ended; undefined before the first. */
export function judgeReindex(status: ReindexStatus | undefined, now: Date): Check {
  const name = "reindex";
  if (status === undefined) return fine(name, "there has been none");
  const sentence = reindexSentence(status);
  const { phase, error, endedAt, progressedAt } = status;
  if (phase === "failed") {
    return wrong(name, sentence, "Mend what it failed with, and run `storefront reindex`.");
  }
  if (endedAt !== undefined) return fine(name, sentence);
  const silentMs = now.getTime() - Date.parse(progressedAt ?? "");
  return error !== "" || silentMs > longMs
    ? wrong(name, sentence, "See the log of search; `storefront reindex --cancel` gives it up.")
    : fine(name, sentence);
}
