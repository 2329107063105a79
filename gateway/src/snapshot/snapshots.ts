import { TRPCError } from "@trpc/server";
import { feedNames } from "@storefront/process";
import type { FeedName, Logger } from "@storefront/process";
import { readStream } from "@storefront/rpc";
import { unavailable } from "../errors/public-error.ts";
import { upstreamErrorOf } from "../upstream/upstream-error.ts";
import { writeCursor } from "./cursor.ts";
import type { FeedPosition } from "./cursor.ts";
import { recordLine, textInSlices } from "./feed-line.ts";
import { UnlinkedFile } from "./unlinked-file.ts";
import type { CopyFeeds } from "./watch-feed.ts";

/** How long a snapshot is served before another is begun, from when it was begun, in milliseconds. */
const lifeMs = 60 * 60 * 1000;

/**
 * How long a failure is served before the next attempt, in milliseconds: as long as the attempt took, within these.
 * What fails at its end, as on a full disk, would otherwise have the services read all they have without a pause.
 */
const failureMs = { min: 5000, max: 5 * 60 * 1000 };

/** Longest waits for a message, which has some pages of rows. */
const silenceLimitMs = 30_000;

const retryAfter = { minSeconds: 1, maxSeconds: 30 };

export interface Snapshot {
  readonly file: UnlinkedFile;
  /** What changes follow it from. */
  readonly cursor: string;
  /** By the wall clock. */
  readonly begunAt: Date;
}

interface SnapshotsOptions {
  feeds: CopyFeeds;
  /** Where their files are; it must exist. */
  directory: string;
  logger: Logger;
}

export interface Snapshots {
  /**
   * The newest one. If there is none, or it is an hour old, another is begun, once for all callers.
   *
   * @throws SERVICE_UNAVAILABLE while there is none; the failure of the last attempt
   */
  newest(): Snapshot;
  close(): Promise<void>;
}

/** Makes snapshots on request. */
export function createSnapshots({ feeds, directory, logger }: SnapshotsOptions): Snapshots {
  const closing = new AbortController();
  let ready: (Snapshot & { atMs: number }) | undefined;
  let failed: { error: unknown; untilMs: number } | undefined;
  let making: { done: Promise<void>; atMs: number } | undefined;

  async function make(atMs: number): Promise<void> {
    const begunAt = new Date();
    const begin: FeedPosition = { sequence: 0n, identity: "" };
    const positions = { catalog: begin, pricing: begin, reviews: begin, changelog: begin };
    const onPosition = (feed: FeedName, position: FeedPosition) => {
      positions[feed] = position;
    };
    try {
      const texts = readCatalogue(feeds, onPosition, closing.signal);
      const file = await UnlinkedFile.write(directory, texts, closing.signal);
      const former = ready;
      ready = { file, cursor: writeCursor(positions), begunAt, atMs };
      failed = undefined;
      await former?.file.release();
      const tookMs = Math.round(performance.now() - atMs);
      logger.info({ sizeBytes: file.sizeBytes, tookMs }, "a snapshot is made");
    } catch (error) {
      const nowMs = performance.now();
      const pauseMs = Math.min(Math.max(nowMs - atMs, failureMs.min), failureMs.max);
      failed = { error, untilMs: nowMs + pauseMs };
      if (!closing.signal.aborted) logger.warn({ err: error }, "a snapshot could not be made");
    } finally {
      making = undefined;
    }
  }

  function isDue(nowMs: number): boolean {
    if (making !== undefined || closing.signal.aborted) return false;
    if (failed !== undefined && nowMs < failed.untilMs) return false;
    return ready === undefined || nowMs - ready.atMs >= lifeMs;
  }

  return {
    newest() {
      const nowMs = performance.now();
      if (isDue(nowMs)) making = { done: make(nowMs), atMs: nowMs };
      if (ready !== undefined) return ready;
      if (making === undefined && failed !== undefined) throw publicOf(failed.error);
      const elapsedMs = nowMs - (making?.atMs ?? nowMs);
      throw unavailable(
        "The snapshot is being made; ask again until it is there.",
        snapshotRetrySeconds(elapsedMs),
      );
    },
    async close() {
      closing.abort();
      await making?.done;
      await ready?.file.release();
      ready = undefined;
    },
  };
}

/**
 * The `Retry-After` of a snapshot that is being made: a quarter of the time that has elapsed, so that a client waits
 * hardly longer than the making takes, and asks some two dozen times in five minutes.
 */
export function snapshotRetrySeconds(elapsedMs: number): number {
  const seconds = Math.ceil(elapsedMs / 1000 / 4);
  return Math.min(Math.max(seconds, retryAfter.minSeconds), retryAfter.maxSeconds);
}

/**
 * The lines of everything that the services export, but for saved queries, which are private. One message of a
 * service is in memory at a time.
 *
 * @param onPosition receives for each feed the position that its changes follow from
 * @throws TRPCError when a service is unavailable, or is of a release whose snapshots have no past
 */
async function* readCatalogue(
  feeds: CopyFeeds,
  onPosition: (feed: FeedName, position: FeedPosition) => void,
  signal: AbortSignal,
): AsyncGenerator<string> {
  // In this order the changelog has the entries of every state of a record that was read.
  for (const feed of feedNames) {
    let isFirst = true;
    try {
      const messages = readStream({
        open: (call) => feeds[feed].readSnapshot({ withPast: true }, call),
        silenceLimitMs,
        signal,
      });
      for await (const { entries, sequence, identity, hasPast } of messages) {
        if (!hasPast) throw tooOld(feed);
        if (isFirst) onPosition(feed, { sequence, identity });
        isFirst = false;
        yield* textInSlices(entries, recordLine);
      }
    } catch (error) {
      throw upstreamErrorOf(feed, error);
    }
    if (isFirst) throw new Error(`the ${feed} service sent no position`);
  }
}

function tooOld(feed: FeedName): TRPCError {
  return new TRPCError({
    code: "BAD_GATEWAY",
    message: `The ${feed} service is of a release that gives no snapshot of its past; it has to be updated.`,
  });
}

/** Clients do not see failures of the directory and of this process. */
function publicOf(error: unknown): TRPCError {
  return error instanceof TRPCError
    ? error
    : new TRPCError({
        code: "SERVICE_UNAVAILABLE",
        message: "The snapshot could not be made; it will be tried again.",
        cause: error,
      });
}
