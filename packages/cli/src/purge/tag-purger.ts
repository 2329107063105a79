import type { FeedName, Logger } from "@storefront/process";
import { wholeFeedTag } from "@storefront/gateway";
import type { FeedCursor } from "@storefront/gateway";
import { Backoff } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import { PurgeError } from "./edge.ts";
import type { Edge } from "./edge.ts";

/** The positions up to which feeds have been read. */
export type Cursors = Partial<Record<FeedName, FeedCursor | undefined>>;

/**
 * Delays of the purges of a write's tags, in milliseconds. A gateway may send outdated responses until it has read the
 * write. So: immediately; when a gateway with a small lag has read it; when every gateway has, after a second; and when no
 * outdated response can be in transit any longer, since the edge must wait no longer than 10 s for a first byte.
 */
const roundsAfterMs = [0, 400, 1300, 15_000];

/** Least time between two purges of a round, in milliseconds; writes in between are purged together. */
const pauseMs = 100;

/** Most calls of a purge; beyond it everything of a feed is purged instead. */
const callsMax = 10;

const firstBackoffMs = 100;
const maxBackoffMs = 5000;

/** Tags that are purged together. */
interface Batch {
  /** When its last write was seen, on the clock of `performance.now()`. */
  seenAt: number;
  tags: Map<FeedName, Set<string>>;
  cursors: Cursors;
}

/** The dependencies of a purger. */
export interface TagPurgerOptions {
  edge: Edge;
  logger: Logger;
  /** All rounds of everything up to these cursors are done. */
  onPurged: (cursors: Cursors) => Promise<void>;
  signal: AbortSignal;
}

/** Purges an edge of the tags of writes, each in several rounds; retries without a limit. */
export class TagPurger {
  readonly #options: TagPurgerOptions;
  /** The batches that wait for each round. */
  readonly #waiting: Batch[][] = roundsAfterMs.map(() => []);
  #isFailing = false;

  constructor(options: TagPurgerOptions) {
    this.#options = options;
  }

  /**
   * Queues the purge of tags of a feed that has been read up to `cursor`.
   *
   * @param ageMs least age of the writes, in milliseconds; default 0
   */
  add(feed: FeedName, tags: Iterable<string>, cursor: FeedCursor, ageMs = 0): void {
    const added: Batch = {
      seenAt: performance.now() - ageMs,
      tags: new Map(),
      cursors: { [feed]: cursor },
    };
    const [first = []] = this.#waiting;
    const batch = first.pop() ?? added;
    this.#addTags(batch, feed, tags);
    first.push(withCursors(batch, added));
  }

  /** Runs until the signal. Rejects when cursors cannot be stored. */
  async run(): Promise<void> {
    await Promise.all(roundsAfterMs.map((afterMs, round) => this.#runRound(round, afterMs)));
  }

  async #runRound(round: number, afterMs: number): Promise<void> {
    const { signal, onPurged } = this.#options;
    while (!signal.aborted) {
      const batch = this.#takeDue(this.#waiting[round] ?? [], performance.now() - afterMs);
      if (batch !== undefined && (await this.#purge(batch))) {
        const next = this.#waiting[round + 1];
        if (next === undefined) await onPurged(batch.cursors);
        else next.push(batch);
      }
      // Rejects only at the signal, which ends the loop.
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** The batches up to that time, as one. */
  #takeDue(waiting: Batch[], seenUntil: number): Batch | undefined {
    const later = waiting.findIndex(({ seenAt }) => seenAt > seenUntil);
    const [batch, ...others] = waiting.splice(0, later === -1 ? waiting.length : later);
    if (batch === undefined) return undefined;
    return others.reduce((all, other) => {
      for (const [feed, tags] of other.tags) this.#addTags(all, feed, tags);
      return withCursors(all, other);
    }, batch);
  }

  #addTags({ tags: byFeed }: Batch, feed: FeedName, tags: Iterable<string>): void {
    const known = byFeed.get(feed) ?? new Set();
    byFeed.set(feed, known);
    for (const tag of tags) known.add(tag);
    if (known.size <= this.#options.edge.tagsPerCall * callsMax) return;
    known.clear();
    known.add(wholeFeedTag(feed));
  }

  /** Whether it succeeded before the signal. */
  async #purge({ tags: byFeed }: Batch): Promise<boolean> {
    const { tagsPerCall } = this.#options.edge;
    const tags = [...byFeed.values()].flatMap((each) => [...each]);
    const calls: Promise<boolean>[] = [];
    for (let from = 0; from < tags.length; from += tagsPerCall) {
      calls.push(this.#call(tags.slice(from, from + tagsPerCall)));
    }
    return (await Promise.all(calls)).every((isDone) => isDone);
  }

  async #call(tags: readonly string[]): Promise<boolean> {
    const { edge, logger, signal } = this.#options;
    const backoff = new Backoff(firstBackoffMs, maxBackoffMs);
    while (!signal.aborted) {
      try {
        await edge.purge(tags);
        if (this.#isFailing) logger.info({ edge: edge.name }, "the edge takes purges again");
        this.#isFailing = false;
        return true;
      } catch (err) {
        if (!this.#isFailing) logger.warn({ err, edge: edge.name }, "the edge takes no purge");
        this.#isFailing = true;
        await backoff.wait(signal, err instanceof PurgeError ? err.retryAfterMs : 0);
      }
    }
    return false;
  }
}

function withCursors(batch: Batch, { seenAt, cursors }: Batch): Batch {
  const latest = Math.max(batch.seenAt, seenAt);
  return { ...batch, seenAt: latest, cursors: { ...batch.cursors, ...cursors } };
}
