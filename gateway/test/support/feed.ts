import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry, FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError, unavailable } from "@storefront/rpc";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";

/** A change feed in memory. */
export interface TestFeed {
  handlers: Partial<ServiceImpl<typeof FeedService>>;
  /** Commits a write and notifies the watches. */
  commit(entry: MessageInitShape<typeof FeedEntrySchema>): void;
  /** Ends the watches; new ones are refused until `resume`. */
  interrupt(): void;
  resume(): void;
  /** Entries of the log that the watches have not received yet. */
  backlog: bigint;
  /** Restores a backup with the first `length` entries, and ends the watches. */
  restore(length: number): void;
  /** How many entries there are. */
  length(): number;
  /** Replaces the log with another one of `length` entries, and ends the watches. */
  replace(length: number): void;
  /** The entries of ReadSnapshot, and whether it reports that they have the past, which earlier releases do not. */
  snapshot: {
    entries: MessageInitShape<typeof FeedEntrySchema>[];
    hasPast: boolean;
    /** Awaited before it is sent. */
    ready?: Promise<void>;
  };
  snapshotsRead: number;
  /** Entries up to this sequence are no longer stored. */
  prunedUpTo: bigint;
  /** Open watches, after their start was accepted. */
  watching: number;
}

/** Begins with some entries, as a log that is older than the gateway. */
export function createFeed(): TestFeed {
  const entries: FeedEntry[] = [];
  const changed = new EventEmitter().setMaxListeners(0);
  let ending = new AbortController();
  let isRefusing = false;
  let logId = randomUUID();
  const newest = () => BigInt(entries.length);
  const shownLogId = () => (entries.length === 0 ? "" : logId);
  const identityAt = (sequence: bigint) => entries[Number(sequence) - 1]?.identity ?? "";

  const feed: TestFeed = {
    handlers: {
      async *readSnapshot({ withPast }) {
        feed.snapshotsRead++;
        const position = { sequence: newest(), identity: identityAt(newest()) };
        const { entries: given, hasPast, ready } = feed.snapshot;
        await ready;
        // The first message has the position of the snapshot, also without entries.
        for (const page of [[], ...given.map((entry) => [create(FeedEntrySchema, entry)])]) {
          const message = { ...position, entries: page, hasPast: withPast && hasPast };
          yield await Promise.resolve(message);
        }
      },
      async *watchChanges({ afterSequence, afterIdentity, fromNow }, { signal }) {
        if (isRefusing) throw unavailable("feed", new Error("refused"));
        if (!fromNow && afterSequence > newest()) {
          throw new ServiceError({
            code: Code.OutOfRange,
            reason: ErrorReason.SEQUENCE_OUT_OF_RANGE,
            message: "beyond the log",
          });
        }
        if (!fromNow && afterIdentity !== identityAt(afterSequence)) {
          throw new ServiceError({
            code: Code.FailedPrecondition,
            reason: ErrorReason.LOG_DIVERGED,
            message: "another history",
          });
        }
        if (!fromNow && afterSequence < feed.prunedUpTo) {
          throw new ServiceError({
            code: Code.FailedPrecondition,
            reason: ErrorReason.LOG_PRUNED,
            message: "no longer stored",
          });
        }
        const ended = ending.signal;
        let sequence = fromNow ? newest() : afterSequence;
        feed.watching++;
        try {
          if (sequence === newest()) {
            yield {
              newestSequence: sequence,
              logId: shownLogId(),
              newestIdentity: identityAt(sequence),
            };
          }
          while (!ended.aborted && !signal.aborted) {
            const batch = entries.slice(Number(sequence));
            sequence = newest();
            const newestSequence = sequence + feed.backlog;
            const newestIdentity = identityAt(newestSequence);
            if (batch.length > 0) {
              yield { entries: batch, newestSequence, logId: shownLogId(), newestIdentity };
            } else await once(changed, "change", { signal }).catch(() => undefined);
          }
        } finally {
          feed.watching--;
        }
      },
    },
    snapshot: { entries: [], hasPast: true },
    snapshotsRead: 0,
    prunedUpTo: 0n,
    watching: 0,
    backlog: 0n,
    commit(entry) {
      const identity = randomUUID();
      entries.push(create(FeedEntrySchema, { ...entry, sequence: newest() + 1n, identity }));
      changed.emit("change");
    },
    interrupt() {
      isRefusing = true;
      ending.abort();
      ending = new AbortController();
      changed.emit("change");
    },
    resume() {
      isRefusing = false;
    },
    length: () => entries.length,
    restore(length) {
      entries.length = length;
      ending.abort();
      ending = new AbortController();
      changed.emit("change");
    },
    replace(length) {
      entries.length = 0;
      while (entries.length < length) feed.commit({ kind: "sandbox", key: ["new"] });
      logId = randomUUID();
      ending.abort();
      ending = new AbortController();
      changed.emit("change");
    },
  };
  for (const id of ["x", "y", "z"]) feed.commit({ kind: "sandbox", key: [id], namespace: id });
  return feed;
}
