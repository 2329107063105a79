import type { FeedName, Logger } from "@storefront/process";
import { wholeFeedTag } from "@storefront/gateway";
import type { FeedCursor } from "@storefront/gateway";
import { Backoff } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import { PurgeError } from "./edge.ts";
import type { Edge } from "./edge.ts";

/** Where feeds have been read to. */
export type Cursors = Partial<Record<FeedName, FeedCursor | undefined>>;

/**
 * How long after a write was seen its tags are purged, in milliseconds. Until a gateway knows of the write, it may send a
 * response that lacks it. So: at once; when a gateway that is a little behind knows; when every gateway does, after a
 * second; and when no such response can be on its way to the edge any more, which must wait for the first byte of one no
 * longer than 10 s.
 */
const roundsAfterMs = [0, 400, 1300, 15_000];

/** Purges of a round begin at most so often, in milliseconds: what comes meanwhile is one purge. */
const pauseMs = 100;

/** Calls that a purge may take; beyond it everything that was made of a feed is purged instead. */
const callsMax = 10;

const firstBackoffMs = 100;
const maxBackoffMs = 5000;

/** What is purged together. */
interface Batch {
  /** When its last write was seen, on the clock of `performance.now()`. */
  seenAt: number;
  tags: Map<FeedName, Set<string>>;
  cursors: Cursors;
}

/** What a purger works with. */
export interface TagPurgerOptions {
  edge: Edge;
  logger: Logger;
  /** All rounds of everything up to these cursors are done. */
  onPurged: (cursors: Cursors) => Promise<void>;
  signal: AbortSignal;
}

/** Purges an edge of what writes touch, each in several rounds; tries for as long as it takes. */
export class TagPurger {
  readonly #options: TagPurgerOptions;
  /** What waits for each round. */
  readonly #waiting: Batch[][] = roundsAfterMs.map(() => []);
  #isFailing = false;

  constructor(options: TagPurgerOptions) {
    this.#options = options;
  }

  /**
   * Purges tags of a feed that has been read up to `cursor`. Does not wait.
   *
   * @param ageMs how long ago what touches them was written, at least; default 0
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

  /** Runs until the signal. Rejects when cursors cannot be noted. */
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
      // Rejects only at the end, which the loop looks for.
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** What was seen until then, as one batch. */
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

  /** Whether it was done before the signal. */
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
