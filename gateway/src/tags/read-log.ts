import { createContextKey } from "@connectrpc/connect";
import type { FeedName } from "@storefront/config";
import { anythingTag } from "./tags.ts";

/** What an answer was made of: tags by the feed that tells when they change. */
export type Reads = readonly (readonly [feed: FeedName, tags: readonly string[]])[];

/** Collects what a request reads while it is answered. */
export class ReadLog {
  readonly #tags = new Map<FeedName, Set<string>>();
  #isFollowed = true;
  #validForMs = Number.POSITIVE_INFINITY;

  /** Whether feeds tell of every change of what was read. */
  get isFollowed(): boolean {
    return this.#isFollowed;
  }

  /** For how long time alone changes nothing of what was read, in milliseconds since it was asked for. */
  get validForMs(): number {
    return this.#validForMs;
  }

  /** What was read from the owner of a feed. */
  note(feed: FeedName, tags: Iterable<string>): void {
    let noted = this.#tags.get(feed);
    if (noted === undefined) {
      noted = new Set([anythingTag]);
      this.#tags.set(feed, noted);
    }
    for (const tag of tags) noted.add(tag);
  }

  /** Something was read whose changes no feed tells. */
  noteUnfollowed(): void {
    this.#isFollowed = false;
  }

  /** Something was read that changes after so long by itself. */
  noteValidity(validForMs: number): void {
    this.#validForMs = Math.min(this.#validForMs, validForMs);
  }

  /** Everything noted so far, by feed in an order that no call's duration changes. */
  reads(): Reads {
    return [...this.#tags]
      .map(([feed, tags]) => [feed, [...tags]] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
  }
}

/** Carries a request's log along its calls, down to the transport. */
export const readLogKey = createContextKey<ReadLog | undefined>(undefined, {
  description: "what a request reads",
});
