import { Code, ConnectError, createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import {
  ReindexPhase,
  SearchIndexService,
} from "@storefront/contracts/search/v1/search_index_service";
import type { ReindexResponse } from "@storefront/contracts/search/v1/search_index_service";
import { hostname, userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandContext } from "../command.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import type { ServiceConnections } from "../stack/service-connections.ts";
import type { Progress } from "../terminal.ts";
import { messageOf, UserError } from "../user-error.ts";
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

/** Between looks at a reindex whose connection broke, and how long nobody need answer, in milliseconds. */
const lookMs = 1_000;
const patienceMs = 300_000;

/** Opens a connection to a fresh replica of the search service. */
export type OpenIndexClient = () => Promise<Client<typeof SearchIndexService>>;

/** What is told of a reindex. */
export type ReindexUpdate = Pick<ReindexResponse, "phase" | "indexedCount" | "job">;

/**
 * Starts a reindex and tells of it until it is done. When the connection breaks, which does not end the
 * reindex, whoever answers is asked for it.
 *
 * @throws ConnectError when it is refused or broken off, or nobody answers for five minutes.
 */
export async function* followReindex(
  open: OpenIndexClient,
  startedBy: string,
): AsyncGenerator<ReindexUpdate> {
  let last: ReindexUpdate | undefined;
  try {
    for await (const news of (await open()).reindex({ startedBy }, { timeoutMs: 0 })) {
      last = news;
      yield news;
    }
  } catch (error) {
    if (last?.job === undefined || !isBroken(error)) throw error;
  }
  if (last?.job !== undefined && last.phase !== ReindexPhase.DONE) {
    yield* lookAt(open, last.job.number);
  }
}

async function* lookAt(open: OpenIndexClient, number: bigint): AsyncGenerator<ReindexUpdate> {
  let client: Client<typeof SearchIndexService> | undefined;
  for (let answeredAtMs = performance.now(); ;) {
    try {
      client ??= await open();
      const { job } = await client.describeReindex({});
      answeredAtMs = performance.now();
      // A later one begins only when this one has ended.
      if (job?.number !== number) throw brokenOff("another one was begun since");
      yield { phase: job.phase, indexedCount: job.indexedCount, job };
      if (job.phase === ReindexPhase.DONE) return;
      if (job.endedAt !== undefined) throw brokenOff(job.error || "it was cancelled");
    } catch (error) {
      if (!isBroken(error) || performance.now() - answeredAtMs > patienceMs) throw error;
      client = undefined;
    }
    await sleep(lookMs);
  }
}

/** Whether a connection, or the service behind it, is away. */
function isBroken(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return code === Code.Unavailable || code === Code.Canceled || code === Code.Unknown;
}

function brokenOff(message: string): ConnectError {
  return new ConnectError(message, Code.Aborted);
}
