import { TRPCError } from "@trpc/server";
import type { FeedName } from "@storefront/config";
import type { Logger } from "@storefront/telemetry";
import { unavailable } from "../errors/public-error.ts";
import { askAgainSeconds } from "./ask-again.ts";
import type { CopyFeeds } from "./copy-feeds.ts";
import { writeCursor } from "./cursor.ts";
import type { FeedPlace } from "./cursor.ts";
import { UnlinkedFile } from "./unlinked-file.ts";
import { readWhole } from "./read-whole.ts";

/** How long a snapshot is the newest that anybody gets, from when it was begun, in milliseconds. */
const lifeMs = 60 * 60 * 1000;

/**
 * How long a failure is told before it is tried again, in milliseconds: as long as the attempt took, within these. What
 * fails at its end, as for want of room, would otherwise have the services read all they have without a pause.
 */
const failureMs = { least: 5000, most: 5 * 60 * 1000 };

/** A snapshot, ready to be sent. */
export interface Snapshot {
  readonly file: UnlinkedFile;
  /** What it is followed from. */
  readonly cursor: string;
  /** By the wall clock. */
  readonly begunAt: Date;
}

/** What snapshots are made with. */
export interface SnapshotsOptions {
  feeds: CopyFeeds;
  /** Where their files are; it must exist. */
  directory: string;
  logger: Logger;
  /** A clock that never goes back, in milliseconds. */
  nowMs: () => number;
}

/** The newest snapshot of the catalogue. */
export interface Snapshots {
  /**
   * The newest one. When there is none, or it is an hour old, another is begun, by itself and once for all who ask.
   *
   * @throws SERVICE_UNAVAILABLE while there is none; what the last attempt failed with
   */
  newest(): Snapshot;
  close(): Promise<void>;
}

/** Makes snapshots when they are asked for. */
export function createSnapshots({ feeds, directory, logger, nowMs }: SnapshotsOptions): Snapshots {
  const closing = new AbortController();
  let ready: (Snapshot & { atMs: number }) | undefined;
  let failed: { error: unknown; untilMs: number } | undefined;
  let making: { done: Promise<void>; atMs: number } | undefined;

  async function make(atMs: number): Promise<void> {
    const begunAt = new Date();
    const places = new Map<FeedName, FeedPlace>();
    try {
      const texts = readWhole(feeds, (feed, place) => places.set(feed, place), closing.signal);
      const file = await UnlinkedFile.write(directory, texts, closing.signal);
      const former = ready;
      ready = { file, cursor: writeCursor(wholeOf(places)), begunAt, atMs };
      failed = undefined;
      await former?.file.release();
      const { sizeBytes } = file;
      logger.info({ sizeBytes, tookMs: Math.round(nowMs() - atMs) }, "a snapshot is made");
    } catch (error) {
      const tookMs = nowMs() - atMs;
      const forMs = Math.min(Math.max(tookMs, failureMs.least), failureMs.most);
      failed = { error, untilMs: nowMs() + forMs };
      if (!closing.signal.aborted) logger.warn({ err: error }, "a snapshot could not be made");
    } finally {
      making = undefined;
    }
  }

  function isDue(): boolean {
    if (making !== undefined || closing.signal.aborted) return false;
    if (failed !== undefined && nowMs() < failed.untilMs) return false;
    return ready === undefined || nowMs() - ready.atMs >= lifeMs;
  }

  return {
    newest() {
      const atMs = nowMs();
      if (isDue()) making = { done: make(atMs), atMs };
      if (ready !== undefined) return ready;
      if (making === undefined && failed !== undefined) throw publicOf(failed.error);
      throw unavailable(
        "The snapshot is being made; ask again until it is there.",
        askAgainSeconds(atMs - (making?.atMs ?? atMs)),
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

function wholeOf(places: ReadonlyMap<FeedName, FeedPlace>) {
  const placeOf = (feed: FeedName) => {
    const place = places.get(feed);
    if (place === undefined) throw new Error(`the ${feed} service gave no place to go on from`);
    return place;
  };
  return {
    catalog: placeOf("catalog"),
    pricing: placeOf("pricing"),
    reviews: placeOf("reviews"),
    changelog: placeOf("changelog"),
  };
}

/** What the directory and this process do wrong is nobody's business but the log's. */
function publicOf(error: unknown): TRPCError {
  return error instanceof TRPCError
    ? error
    : new TRPCError({
        code: "SERVICE_UNAVAILABLE",
        message: "The snapshot could not be made; it will be tried again.",
        cause: error,
      });
}
