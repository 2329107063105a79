import { createClient } from "@connectrpc/connect";
import {
  ReindexPhase,
  SearchIndexService,
} from "@storefront/contracts/search/v1/search_index_service";
import { hostname, userInfo } from "node:os";
import type { CommandContext } from "../command.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import type { ServiceConnections } from "../stack/service-connections.ts";
import type { Progress } from "../terminal.ts";
import { messageOf, UserError } from "../user-error.ts";
import { followReindex } from "./follow-reindex.ts";
import type { OpenIndexClient, ReindexUpdate } from "./follow-reindex.ts";
import { reindexStatus } from "./reindex-status.ts";
import type { ReindexStatus } from "./reindex-status.ts";

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
export async function runReindex(context: CommandContext): Promise<ReindexSummary> {
  await using connections = await createServiceConnections(context);
  const open = indexClientsOver(connections);
  const progress = context.terminal.progress({ label: "Indexing" });
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
}

function show(progress: Progress, { indexedCount, job }: ReindexUpdate): void {
  const total = job === undefined || job.totalCount === 0n ? "" : ` of ${text(job.totalCount)}`;
  progress.update(Number(indexedCount), `${text(indexedCount)}${total} records`);
}

function text(count: bigint): string {
  return count.toLocaleString("en");
}

/**
 * Tells of the reindex under way, else of the last one; or ends the one under way.
 *
 * @returns undefined when there is none.
 * @throws UserError when there is no stack, or it does not answer.
 */
export async function describeReindex(
  { isCancelled }: { isCancelled: boolean },
  context: CommandContext,
): Promise<ReindexStatus | undefined> {
  await using connections = await createServiceConnections(context);
  try {
    const client = await indexClientsOver(connections)();
    const { job } = await (isCancelled ? client.cancelReindex({}) : client.describeReindex({}));
    return job && reindexStatus(job);
  } catch (error) {
    throw new UserError(`The search service does not tell: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** Clients of the service that looks after the index. @throws UserError when the stack does not run it. */
function indexClientsOver(connections: ServiceConnections): OpenIndexClient {
  return async () => {
    const transport = await connections.open("search");
    if (transport === undefined) {
      throw new UserError("This stack does not run the search service.");
    }
    return createClient(SearchIndexService, transport);
  };
}
