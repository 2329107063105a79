import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import type { Completeness } from "./snapshot-follower.ts";
import { isEntryFailure, maxQuarantined } from "./quarantine.ts";
import type { LogPosition } from "../log/log-source.ts";
import type { FollowerStep } from "./pace.ts";
import type { FollowerParts, RetryOutcome } from "./follow-options.ts";

const defaultMaxTries = 5;

/** Applies entries of a feed, and moves the cursor in the transaction of what it stands for. */
export class EntryApplier {
  readonly #parts: FollowerParts;
  readonly #completeness: Completeness;
  readonly #maxTries: number;
  /** How often in a row the entries that come next have failed by themselves. */
  #failures = 0;
  /** How long transactions have held a connection, in milliseconds. */
  #busyMs = 0;

  constructor(parts: FollowerParts, completeness: Completeness) {
    this.#parts = parts;
    this.#completeness = completeness;
    this.#maxTries = parts.options.maxTries ?? defaultMaxTries;
  }

  /**
   * Applies entries and moves the cursor from `position` to `through`, the result. Entries that have
   * failed by themselves often enough are applied singly, and the one that fails is quarantined.
   *
   * @throws LeaseLostError when another process applies the feed; else what is to be tried again.
   */
  async apply(
    entries: readonly FeedEntry[],
    through: LogPosition,
    position: LogPosition,
  ): Promise<FollowerStep<LogPosition>> {
    this.#busyMs = 0;
    if (!isNews(through, position)) return { result: position, busyMs: 0 };
    try {
      await this.#commit(entries, through, position);
    } catch (error) {
      if (!isEntryFailure(error)) throw error;
      this.#failures++;
      await this.#parts.lease.renew();
      if (this.#failures < this.#maxTries) throw error;
      await this.#applySingly(entries, through, position);
    }
    this.#failures = 0;
    return { result: through, busyMs: this.#busyMs };
  }

  async #applySingly(
    entries: readonly FeedEntry[],
    through: LogPosition,
    position: LogPosition,
  ): Promise<void> {
    let place = position;
    for (const entry of entries) {
      if (!isNews(entry, place)) continue;
      await this.#applyAlone(entry, place);
      place = entry;
    }
    if (isNews(through, place)) await this.#commit([], through, place);
  }

  async #applyAlone(entry: FeedEntry, position: LogPosition): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#commit([entry], entry, position);
      } catch (error) {
        if (!isEntryFailure(error)) throw error;
        if (tries >= this.#maxTries) return await this.#setAside(entry, position, error);
      }
    }
  }

  async #commit(
    entries: readonly FeedEntry[],
    through: LogPosition,
    position: LogPosition,
  ): Promise<void> {
    const { options, quarantine } = this.#parts;
    const { feed, metrics, onCommitted } = options;
    const fresh = await this.#transaction(through, position, async (tx, stored) => {
      // For release 0.2.0: its processes know no lease, and may have been faster.
      const missing = entries.filter(({ sequence }) => sequence > stored.sequence);
      if (missing.length < entries.length) this.#completeness.doubt();
      if (missing.length > 0) {
        await options.apply(tx, missing);
        await quarantine.supersede(tx, missing);
      }
      return missing.length;
    });
    if (fresh === 0) return;
    metrics?.countApplied(feed, fresh);
    onCommitted?.();
  }

  async #setAside(entry: FeedEntry, position: LogPosition, error: unknown): Promise<void> {
    const { options, quarantine } = this.#parts;
    const { feed, logger } = options;
    if (quarantine.size >= maxQuarantined) throw error;
    await this.#transaction(entry, position, (tx) => quarantine.add(tx, entry, error));
    const { sequence, kind, key } = entry;
    logger.error({ err: error, feed, sequence, kind, key }, "an entry is quarantined");
  }

  /** A transaction beside which no other process applies the feed, and which moves the cursor. */
  async #transaction<Result>(
    through: LogPosition,
    position: LogPosition,
    work: (tx: Transaction, stored: LogPosition) => Promise<Result>,
  ): Promise<Result> {
    const { options, cursor, lease } = this.#parts;
    let beganAtMs = performance.now();
    const committed = await options.database.transaction(async (tx) => {
      beganAtMs = performance.now();
      await lease.confirm(tx);
      const stored = await cursor.lock(tx);
      // Only a cursor that went back, as by a restored backup, can be behind: read the feed again.
      if (stored.sequence < position.sequence) throw new CursorWentBackError(options.feed, stored);
      const result = await work(tx, stored);
      if (isNews(through, stored)) await cursor.advance(tx, through);
      return result;
    });
    this.#busyMs += performance.now() - beganAtMs;
    return committed;
  }
}

/** Whether a place is further on, or is the same and its identity is known only now. */
function isNews(place: LogPosition, known: LogPosition): boolean {
  if (place.sequence !== known.sequence) return place.sequence > known.sequence;
  return known.identity === "" && place.identity !== "";
}

/** A follower's own tables are those of an earlier time, as after a backup was restored. */
export class CursorWentBackError extends Error {
  override readonly name = "CursorWentBackError";

  constructor(feed: string, { sequence }: LogPosition) {
    super(`the cursor of ${feed} went back to ${sequence}`);
  }
}

/**
 * Applies the quarantined entries of a feed, oldest first, each by itself. Any process may, in turn with the
 * one that applies the feed; an entry whose record has a later write does not take that one's place.
 *
 * @throws ServiceError FAILED_PRECONDITION, PROJECTION_OUTDATED, when a newer version applies the feed;
 *   what may pass, such as that of a database that is away.
 */
export async function retryQuarantined(parts: FollowerParts): Promise<RetryOutcome> {
  const { options, quarantine } = parts;
  let applied = 0;
  let failed = 0;
  for (const { entry } of await quarantine.list(options.database)) {
    if (await retry(parts, entry)) applied++;
    else failed++;
  }
  if (applied > 0) options.onCommitted?.();
  return { applied, failed };
}

async function retry(parts: FollowerParts, entry: FeedEntry): Promise<boolean> {
  const { options, quarantine } = parts;
  try {
    await options.database.transaction(async (tx) => {
      await beside(parts, tx);
      const found = await quarantine.find(tx, entry);
      if (found === undefined) return;
      if (found.isSuperseded) await options.applySuperseded?.(tx, entry);
      else await options.apply(tx, [entry]);
      await quarantine.remove(tx, entry);
    });
    return true;
  } catch (error) {
    if (!isEntryFailure(error)) throw error;
    await options.database.transaction(async (tx) => {
      await beside(parts, tx);
      if ((await quarantine.find(tx, entry)) !== undefined) await quarantine.add(tx, entry, error);
    });
    return false;
  }
}

/** Nobody applies the feed until the transaction ends. */
async function beside({ lease, cursor }: FollowerParts, tx: Transaction): Promise<void> {
  await lease.exclude(tx);
  await cursor.lock(tx);
}
