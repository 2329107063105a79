import { Code, ConnectError, createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import {
  ReindexPhase,
  SearchIndexService,
} from "@storefront/contracts/search/v1/search_index_service";
import type {
  ReindexResponse,
  ReindexJob,
} from "@storefront/contracts/search/v1/search_index_service";
import { hostname, userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandContext } from "../command.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import type { ServiceConnections } from "../stack/service-connections.ts";
import { UserError, userErrorOf } from "../user-error.ts";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

/**
 * Rebuilds the search index of a running stack, and waits until it is live.
 *
 * @returns records in the new index.
 * @throws UserError when there is no stack, or the reindex was aborted.
 */
export async function runReindex(context: CommandContext): Promise<{ indexed: number }> {
  await using connections = await createServiceConnections(context);
  const open = indexClientsOver(connections);
  const progress = context.terminal.progress({ label: "Indexing" });
  let last: ReindexUpdate | undefined;
  try {
    const startedBy = `${userInfo().username} at ${hostname()}`;
    for await (const update of followReindex(open, startedBy)) {
      last = update;
      const { indexedCount, job } = update;
      const total = job === undefined || job.totalCount === 0n ? "" : ` of ${text(job.totalCount)}`;
      progress.update(Number(indexedCount), `${text(indexedCount)}${total} records`);
    }
    if (last?.phase !== ReindexPhase.DONE) throw new Error("it ended early");
  } catch (error) {
    progress.end("broken off");
    throw userErrorOf("The reindex broke off", error);
  }
  progress.end(`${text(last.indexedCount)} records`);
  return { indexed: Number(last.indexedCount) };
}

function text(count: bigint): string {
  return count.toLocaleString("en");
}

/**
 * The reindex in progress, else the last one.
 *
 * @param isCancelled whether to cancel the one in progress.
 * @returns undefined when there is none.
 * @throws UserError when there is no stack, or it does not respond.
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
    throw userErrorOf("The search service cannot be read", error);
  }
}

/** @throws UserError when the stack does not run the search service. */
function indexClientsOver(connections: ServiceConnections): OpenIndexClient {
  return async () => {
    const transport = await connections.open("search");
    if (transport === undefined) {
      throw new UserError("This stack does not run the search service.");
    }
    return createClient(SearchIndexService, transport);
  };
}

/** Between two calls for a reindex whose connection broke, in milliseconds. */
const pollMs = 1_000;

/** Longest time without a response, in milliseconds. */
const silenceLimitMs = 300_000;

/** Opens a connection to a fresh replica of the search service. */
type OpenIndexClient = () => Promise<Client<typeof SearchIndexService>>;

/** The progress of a reindex. */
type ReindexUpdate = Pick<ReindexResponse, "phase" | "indexedCount" | "job">;

/**
 * Starts a reindex and yields its progress until it is done. The reindex survives a broken connection: then
 * any replica is polled.
 *
 * @throws ConnectError when it is rejected or aborted, or no replica responds for five minutes.
 */
async function* followReindex(
  open: OpenIndexClient,
  startedBy: string,
): AsyncGenerator<ReindexUpdate> {
  let last: ReindexUpdate | undefined;
  try {
    for await (const update of (await open()).reindex({ startedBy }, { timeoutMs: 0 })) {
      last = update;
      yield update;
    }
  } catch (error) {
    if (last?.job === undefined || !isBroken(error)) throw error;
  }
  if (last?.job !== undefined && last.phase !== ReindexPhase.DONE) {
    yield* pollReindex(open, last.job.number);
  }
}

async function* pollReindex(open: OpenIndexClient, number: bigint): AsyncGenerator<ReindexUpdate> {
  let client: Client<typeof SearchIndexService> | undefined;
  for (let respondedAtMs = performance.now(); ;) {
    try {
      client ??= await open();
      const { job } = await client.describeReindex({});
      respondedAtMs = performance.now();
      // A later one starts only when this one has ended.
      if (job?.number !== number) throw brokenOff("another one has started since");
      yield { phase: job.phase, indexedCount: job.indexedCount, job };
      if (job.phase === ReindexPhase.DONE) return;
      if (job.endedAt !== undefined) throw brokenOff(job.error || "it was cancelled");
    } catch (error) {
      if (!isBroken(error) || performance.now() - respondedAtMs > silenceLimitMs) throw error;
      client = undefined;
    }
    await sleep(pollMs);
  }
}

/** Whether a connection, or the service behind it, is unavailable. */
function isBroken(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return code === Code.Unavailable || code === Code.Canceled || code === Code.Unknown;
}

function brokenOff(message: string): ConnectError {
  return new ConnectError(message, Code.Aborted);
}

/** A reindex as `--json` writes it; times are ISO 8601. */
export interface ReindexStatus {
  readonly number: number;
  readonly phase: string;
  /** Records in the new index, of those that existed at its start. */
  readonly indexed: number;
  readonly total: number;
  readonly startedBy: string;
  readonly startedAt: string | undefined;
  readonly progressedAt: string | undefined;
  readonly endedAt: string | undefined;
  /** Process that works on it; empty when none does. */
  readonly holder: string;
  /** Its last failure; empty without one. */
  readonly error: string;
}

const phases: Readonly<Partial<Record<ReindexPhase, string>>> = {
  [ReindexPhase.LEARNING]: "learning",
  [ReindexPhase.BUILDING]: "building",
  [ReindexPhase.EMBEDDING]: "embedding",
  [ReindexPhase.FINISHING]: "finishing",
  [ReindexPhase.CATCHING_UP]: "changing over",
  [ReindexPhase.DONE]: "done",
  [ReindexPhase.CANCELLED]: "cancelled",
  [ReindexPhase.FAILED]: "failed",
};

export function reindexStatus(job: ReindexJob): ReindexStatus {
  return {
    number: Number(job.number),
    // A newer release may have other phases.
    phase: phases[job.phase] ?? "unknown",
    indexed: Number(job.indexedCount),
    total: Number(job.totalCount),
    startedBy: job.startedBy,
    startedAt: iso(job.startedAt),
    progressedAt: iso(job.progressedAt),
    endedAt: iso(job.endedAt),
    holder: job.holder,
    error: job.error,
  };
}

/** A status as a sentence. */
export function reindexSentence(status: ReindexStatus): string {
  const { number, phase, indexed, total, startedBy, startedAt, progressedAt, endedAt } = status;
  const records = `${indexed.toLocaleString("en")} of ${total.toLocaleString("en")} records`;
  const started = `started ${startedAt} by ${startedBy}`;
  const state =
    endedAt === undefined
      ? `last progress ${progressedAt}, on ${status.holder || "no process"}`
      : `ended ${endedAt}`;
  const error = status.error === "" ? "" : `: ${status.error}`;
  return `Reindex ${number}: ${phase}, ${records}, ${started}, ${state}${error}.`;
}

function iso(timestamp: Timestamp | undefined): string | undefined {
  return timestamp && timestampDate(timestamp).toISOString();
}
