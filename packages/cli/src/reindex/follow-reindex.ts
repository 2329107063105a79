import { Code, ConnectError } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { ReindexPhase } from "@storefront/contracts/search/v1/search_index_service";
import type {
  ReindexResponse,
  SearchIndexService,
} from "@storefront/contracts/search/v1/search_index_service";
import { setTimeout as sleep } from "node:timers/promises";

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
