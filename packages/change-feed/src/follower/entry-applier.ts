import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import type { Completeness } from "./snapshot-follower.ts";
import { isEntryFailure, maxQuarantined } from "./quarantine.ts";
import type { LogPosition } from "../log/log-source.ts";
import type { FollowerStep } from "./pace.ts";
import type { FollowerParts, RetryOutcome } from "./follow-options.ts";

const defaultMaxTries = 5;

/** Applies feed entries and advances the cursor in the same transaction. */
export class EntryApplier {
  readonly #parts: FollowerParts;
  readonly #completeness: Completeness;
  readonly #maxTries: number;
  /** Consecutive failures of the next entries that are not transient. */
  #failures = 0;
  /** Time for which transactions of this call used a connection, in milliseconds. */
  #busyMs = 0;

  constructor(parts: FollowerParts, completeness: Completeness) {
    this.#parts = parts;
    this.#completeness = completeness;
    this.#maxTries = parts.options.maxTries ?? defaultMaxTries;
  }

  /**
   * Applies entries and advances the cursor from `position` to `through`. After `maxTries` entry failures in
   * a row, entries are applied one by one, and an entry that still fails is quarantined.
   *
   * @throws LeaseLostError when another process applies the feed; any other error is to be retried.
   */
  async apply(
    entries: readonly FeedEntry[],
    through: LogPosition,
    position: LogPosition,
  ): Promise<FollowerStep<LogPosition>> {
    this.#busyMs = 0;
    if (!isAdvance(through, position)) return { result: position, busyMs: 0 };
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
    let current = position;
    for (const entry of entries) {
      if (!isAdvance(entry, current)) continue;
      await this.#applyAlone(entry, current);
      current = entry;
    }
    if (isAdvance(through, current)) await this.#commit([], through, current);
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
    const appliedCount = await this.#transaction(through, position, async (tx, stored) => {
      // For release 0.2.0, whose processes have no lease: they may have applied some entries already.
      const missing = entries.filter(({ sequence }) => sequence > stored.sequence);
      if (missing.length < entries.length) this.#completeness.doubt();
      if (missing.length > 0) {
        await options.apply(tx, missing);
        await quarantine.supersede(tx, missing);
      }
      return missing.length;
    });
    if (appliedCount === 0) return;
    metrics?.countApplied(feed, appliedCount);
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

  /** Runs a transaction of the holder that advances the cursor. */
  async #transaction<Result>(
    through: LogPosition,
    position: LogPosition,
    work: (tx: Transaction, stored: LogPosition) => Promise<Result>,
  ): Promise<Result> {
    const { options, cursor, lease } = this.#parts;
    const { result, busyMs } = await lease.transaction(cursor, async (tx, stored) => {
      // The cursor is behind only after a restore of a backup: the feed must be read again from there.
      if (stored.sequence < position.sequence) throw new CursorWentBackError(options.feed, stored);
      const worked = await work(tx, stored);
      if (isAdvance(through, stored)) await cursor.advance(tx, through);
      return worked;
    });
    this.#busyMs += busyMs;
    return result;
  }
}

/** Whether `next` is a later position, or the same one whose identity was unknown. */
function isAdvance(next: LogPosition, known: LogPosition): boolean {
  if (next.sequence !== known.sequence) return next.sequence > known.sequence;
  return known.identity === "" && next.identity !== "";
}

/** The follower's tables were restored to an earlier state. */
export class CursorWentBackError extends Error {
  override readonly name = "CursorWentBackError";

  constructor(feed: string, { sequence }: LogPosition) {
    super(`the cursor of ${feed} went back to ${sequence}`);
  }
}

/**
 * Applies the quarantined entries of a feed one by one, oldest first. Any process may do so; it locks out the
 * process that applies the feed. An entry does not overwrite a later write of its record.
 *
 * @throws ServiceError FAILED_PRECONDITION, PROJECTION_OUTDATED, when a newer version applies the feed;
 * transient errors, such as an unavailable database.
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
      await excludeOthers(parts, tx);
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
      await excludeOthers(parts, tx);
      if ((await quarantine.find(tx, entry)) !== undefined) await quarantine.add(tx, entry, error);
    });
    return false;
  }
}

/** No process applies the feed until the transaction ends. */
async function excludeOthers({ lease, cursor }: FollowerParts, tx: Transaction): Promise<void> {
  await lease.exclude(tx);
  await cursor.lock(tx);
}
