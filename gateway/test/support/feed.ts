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
  /** Commits a write and tells whoever watches. */
  commit(entry: MessageInitShape<typeof FeedEntrySchema>): void;
  /** Ends the watches; new ones are refused until `resume`. */
  interrupt(): void;
  resume(): void;
  /** How many more entries the log has than the watches have been given yet. */
  heldBack: bigint;
  /** Puts back a backup with the first `length` entries, and ends the watches. */
  restore(length: number): void;
  /** How many entries there are. */
  length(): number;
  /** Puts another log in the place of this one, as long as `length`, and ends the watches. */
  replace(length: number): void;
  /** What ReadSnapshot gives, and whether it says that the past is in it, as a release does that knows of that. */
  snapshot: {
    entries: MessageInitShape<typeof FeedEntrySchema>[];
    hasPast: boolean;
    /** What it waits for. */
    held?: Promise<void>;
  };
  snapshotsRead: number;
  /** Entries up to this sequence are no longer kept. */
  prunedUpTo: bigint;
  /** Watches that are open and have been told where they begin. */
  watching: number;
}

/** Begins with some entries, as logs do that were there before the gateway. */
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
        const { entries: given, hasPast, held } = feed.snapshot;
        await held;
        // The first message says where the snapshot stands, also without entries.
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
            message: "no longer kept",
          });
        }
        const ended = ending.signal;
        let place = fromNow ? newest() : afterSequence;
        feed.watching++;
        try {
          if (place === newest()) {
            yield {
              newestSequence: place,
              logId: shownLogId(),
              newestIdentity: identityAt(place),
            };
          }
          while (!ended.aborted && !signal.aborted) {
            const batch = entries.slice(Number(place));
            place = newest();
            const newestSequence = place + feed.heldBack;
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
    heldBack: 0n,
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
