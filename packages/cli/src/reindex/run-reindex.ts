import { ReindexPhase } from "@storefront/contracts/search/v1/search_index_service";
import { hostname, userInfo } from "node:os";
import type { CommandContext } from "../command.ts";
import type { Progress } from "../terminal/progress.ts";
import { messageOf, UserError } from "../user-error.ts";
import { followReindex } from "./follow-reindex.ts";
import type { ReindexUpdate } from "./follow-reindex.ts";
import { withIndexClient } from "./with-index-client.ts";

/** What a reindex did. */
export interface ReindexSummary {
  /** Records in the new index. */
  indexed: number;
}

/**
 * Builds the search index of a running stack anew, and waits until it answers.
 *
 * @throws UserError when there is no stack, or the reindex broke off.
 */
export async function runReindex(
  dataDirectory: string,
  { terminal, env }: CommandContext,
): Promise<ReindexSummary> {
  return await withIndexClient(dataDirectory, env, async (open) => {
    const progress = terminal.progress({ label: "Indexing" });
    let last: ReindexUpdate | undefined;
    try {
      for await (const news of followReindex(open, `${userInfo().username} at ${hostname()}`)) {
        last = news;
        show(progress, news);
      }
      if (last?.phase !== ReindexPhase.DONE) throw new Error("it ended early");
    } catch (error) {
      progress.end("broken off");
      throw new UserError(`The reindex broke off: ${messageOf(error)}.`, { cause: error });
    }
    const indexed = Number(last.indexedCount);
    progress.end(`${indexed.toLocaleString("en")} records`);
    return { indexed };
  });
}

function show(progress: Progress, { indexedCount, job }: ReindexUpdate): void {
  const total = job === undefined || job.totalCount === 0n ? "" : ` of ${text(job.totalCount)}`;
  progress.update(Number(indexedCount), `${text(indexedCount)}${total} records`);
}

function text(count: bigint): string {
  return count.toLocaleString("en");
}
