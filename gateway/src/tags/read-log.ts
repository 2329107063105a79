import type { FeedName } from "@storefront/process";
import { anythingTag } from "./tags.ts";

/** What a response was made of: tags by the feed whose writes touch them. */
export type Reads = readonly (readonly [feed: FeedName, tags: readonly string[]])[];

/** Collects what a request reads. */
export class ReadLog {
  readonly #tags = new Map<FeedName, Set<string>>();
  #isFollowed = true;
  #validForMs = Number.POSITIVE_INFINITY;

  /** Whether the feeds have every change of what was read. */
  get isFollowed(): boolean {
    return this.#isFollowed;
  }

  /** How long time alone changes nothing of what was read, in milliseconds since the request. */
  get validForMs(): number {
    return this.#validForMs;
  }

  note(feed: FeedName, tags: Iterable<string>): void {
    let noted = this.#tags.get(feed);
    if (noted === undefined) {
      noted = new Set([anythingTag]);
      this.#tags.set(feed, noted);
    }
    for (const tag of tags) noted.add(tag);
  }

  /** Something was read whose changes are in no feed. */
  noteUnfollowed(): void {
    this.#isFollowed = false;
  }

  /** Something was read that time changes after so many milliseconds. */
  noteValidity(validForMs: number): void {
    this.#validForMs = Math.min(this.#validForMs, validForMs);
  }

  /** Everything noted so far, in an order that no call's duration changes. */
  reads(): Reads {
    return [...this.#tags]
      .map(([feed, tags]) => [feed, [...tags]] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
  }
}
