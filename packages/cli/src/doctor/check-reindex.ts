import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { SearchIndexService } from "@storefront/contracts/search/v1/search_index_service";
import { reindexSentence, reindexStatus } from "../reindex/reindex-status.ts";
import type { ReindexStatus } from "../reindex/reindex-status.ts";
import { messageOf } from "../user-error.ts";
import { askWithToken, timeoutMs } from "./ask-service.ts";
import type { ExaminedStack } from "./ask-service.ts";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

/** Asks the search for its reindexes, where the environment or the running stack tells its address. */
export async function checkReindex(stack: ExaminedStack): Promise<Check[]> {
  try {
    const answer = await askWithToken("search", stack, (transport) =>
      createClient(SearchIndexService, transport).describeReindex({}, { timeoutMs }),
    );
    if (answer === undefined) return [];
    return [judgeReindex(answer.job && reindexStatus(answer.job), new Date())];
  } catch (error) {
    // A release before this one does not tell.
    if (ConnectError.from(error).code === Code.Unimplemented) return [];
    return [wrong("reindex", `It is not told: ${messageOf(error)}.`, "See the services above.")];
  }
}

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
