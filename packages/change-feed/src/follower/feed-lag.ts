import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedState } from "@storefront/process";

export interface Lag {
  /** Upper bound of entries not applied: sequences have gaps, and entries of other kinds count. */
  readonly lagEntries: bigint;
  /** Upper bound of the age of the oldest entry not applied; 0 when none is missing. */
  readonly lagSeconds: number;
}

/** Distance of a follower to the end of its feed. */
export class FeedLag {
  #isConnected = false;
  #applied = 0n;
  #newest = 0n;
  /** No missing entry was committed before this. */
  #missingSinceMs = Date.now();
  #caughtUpAtMs = Date.now();

  /** Entries were received, and are not applied yet. */
  received(entries: readonly FeedEntry[], newestSequence: bigint): void {
    // `reaches` may have reported a later end than a message that was queued.
    const isOld = this.#isConnected && newestSequence < this.#newest;
    if (!isOld) this.#newest = newestSequence;
    this.#isConnected = true;
    this.#missingSinceMs = committedMs(entries[0]) ?? this.#missingSinceMs;
  }

  /** Raises the known end of the log. */
  reaches(newest: bigint): void {
    if (newest > this.#newest) this.#newest = newest;
  }

  /** Everything up to this sequence is applied; `entries` were the last. */
  applied(sequence: bigint, entries: readonly FeedEntry[]): void {
    this.#applied = sequence;
    this.#missingSinceMs = committedMs(entries.at(-1)) ?? this.#missingSinceMs;
    if (this.#applied >= this.#newest) this.#caughtUpAtMs = Date.now();
  }

  /** Another process has applied everything up to a sequence. */
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

  /** For metrics. Without a stream, the last known state. */
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

  /** Undefined without a stream, since the lag is unknown then. */
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
