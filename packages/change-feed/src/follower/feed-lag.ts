import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedState } from "@storefront/process";

/** How far behind a feed its consumer is. */
export interface Lag {
  /** Entries not applied yet, at most: sequences have gaps, and entries of other kinds count. */
  readonly lagEntries: bigint;
  /** Age of the oldest entry not applied yet, at most; 0 when none is missing. */
  readonly lagSeconds: number;
}

/** What a follower knows of its distance to the end of the feed. */
export class FeedLag {
  #isConnected = false;
  #applied = 0n;
  #newest = 0n;
  /** No missing entry was committed before this. */
  #missingSinceMs = Date.now();
  #caughtUpAtMs = Date.now();

  /** These arrived, and are missing until they are applied. */
  received(entries: readonly FeedEntry[], newestSequence: bigint): void {
    // What came by another way is newer than a message that had to wait.
    const isOld = this.#isConnected && newestSequence < this.#newest;
    if (!isOld) this.#newest = newestSequence;
    this.#isConnected = true;
    this.#missingSinceMs = committedMs(entries[0]) ?? this.#missingSinceMs;
  }

  /** The log is known to reach to `newest`, whatever has arrived. */
  reaches(newest: bigint): void {
    if (newest > this.#newest) this.#newest = newest;
  }

  /** Everything up to this sequence is applied, these entries last. */
  applied(sequence: bigint, entries: readonly FeedEntry[]): void {
    this.#applied = sequence;
    this.#missingSinceMs = committedMs(entries.at(-1)) ?? this.#missingSinceMs;
    if (this.#applied >= this.#newest) this.#caughtUpAtMs = Date.now();
  }

  /** Another process has applied everything up to a sequence; the log is known to reach to `newest`. */
  standingBy(sequence: bigint, newest: bigint): void {
    if (!this.isBehind || sequence !== this.#applied) this.#missingSinceMs = Date.now();
    this.received([], newest);
    this.applied(sequence, []);
  }

  get isBehind(): boolean {
    return this.#isConnected && this.#applied < this.#newest;
  }

  secondsBehind(): number {
    return this.current()?.lagSeconds ?? 0;
  }

  disconnected(): void {
    this.#isConnected = false;
  }

  /** For metrics: also while there is no stream, as it was known last. */
  state(): FeedState {
    const current = this.current();
    const lagEntries = this.#newest > this.#applied ? this.#newest - this.#applied : 0n;
    return {
      isConnected: current !== undefined,
      position: Number(this.#applied),
      lagEntries: Number(lagEntries),
      lagSeconds: current?.lagSeconds ?? (Date.now() - this.#caughtUpAtMs) / 1000,
    };
  }

  /** Undefined while there is no stream, since it is unknown then. */
  current(): Lag | undefined {
    if (!this.#isConnected) return undefined;
    if (this.#applied >= this.#newest) return { lagEntries: 0n, lagSeconds: 0 };
    const ageMs = Math.max(0, Date.now() - this.#missingSinceMs);
    return { lagEntries: this.#newest - this.#applied, lagSeconds: ageMs / 1000 };
  }
}

function committedMs(entry: FeedEntry | undefined): number | undefined {
  return entry?.committedAt === undefined ? undefined : timestampDate(entry.committedAt).getTime();
}
