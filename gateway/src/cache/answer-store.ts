import { SizedMap } from "@storefront/cache";
import { PreparedAnswer } from "../http/prepared-answer.ts";
import type { EndpointHeaders } from "../http/prepared-answer.ts";
import type { FollowedFeeds } from "./followed-feeds.ts";
import { chooseFreshMs, lifeOf, sizeOf } from "./kept-answer.ts";
import type { KeptAnswer, Life } from "./kept-answer.ts";
import { renew } from "./renew.ts";
import type { SharedTier } from "./shared-tier.ts";

/** What answers are kept with. */
export interface AnswerStoreDependencies {
  /** Bytes that answers may take in this process. */
  maxSizeBytes: number;
  feeds: FollowedFeeds;
  /** Default: answers are kept in this process only. */
  shared?: SharedTier | undefined;
}

/** An answer and what it is good for. */
export interface FoundAnswer {
  kept: KeptAnswer;
  life: Exclude<Life, "gone">;
}

/** Answers by key, in this process and, if there is one, in a cache shared with others. */
export class AnswerStore {
  readonly #feeds: FollowedFeeds;
  readonly #shared: SharedTier | undefined;
  readonly #answers: SizedMap<KeptAnswer>;

  constructor({ maxSizeBytes, feeds, shared }: AnswerStoreDependencies) {
    this.#feeds = feeds;
    this.#shared = shared;
    this.#answers = new SizedMap(maxSizeBytes);
  }

  /** Number of answers in this process. */
  get count(): number {
    return this.#answers.count;
  }

  /** Bytes that they take. */
  get sizeBytes(): number {
    return this.#answers.sizeBytes;
  }

  /** Bytes that they may take. */
  get maxSizeBytes(): number {
    return this.#answers.maxSizeBytes;
  }

  /** How many went for the room of others. */
  get evictedCount(): number {
    return this.#answers.evictedCount;
  }

  /** An answer of this process; `now` is on the clock of `performance.now()`. */
  find(key: string, now: number): FoundAnswer | undefined {
    const kept = this.#answers.get(key);
    if (kept === undefined) return undefined;
    const life = lifeOf(kept, this.#feeds, now);
    if (life !== "gone") return { kept, life };
    this.#answers.delete(key);
    return undefined;
  }

  /** A fresh answer that another process has made. One that is not fresh is left to stand in. */
  async findShared(key: string, headers: EndpointHeaders): Promise<KeptAnswer | undefined> {
    // What no feed tells about is not shared.
    const before = this.#answers.get(key);
    if (before?.isFollowed === false) return undefined;
    const logs = this.#feeds.logs();
    const found = logs === undefined ? undefined : await this.#shared?.read(logs, key);
    if (found === undefined) return undefined;
    const now = performance.now();
    const kept: KeptAnswer = {
      prepared: new PreparedAnswer(found.body, headers),
      reads: found.reads,
      isFollowed: true,
      freshMs: chooseFreshMs(),
      madeAt: now - found.ageMs,
      begunAt: found.begunAt,
      version: -1,
      isCurrent: false,
      retryAt: 0,
    };
    const life = lifeOf(kept, this.#feeds, now);
    if (life === "gone") return undefined;
    // How old it is goes by another process's clock, so only the feeds can vouch for it.
    if (life === "fresh" && kept.isCurrent) return this.#keepOrRenew(key, kept);
    if (before === undefined) this.#keepHere(key, kept);
    return undefined;
  }

  keep(key: string, kept: KeptAnswer): void {
    this.#keepOrRenew(key, kept);
    const logs = this.#feeds.logs();
    if (!kept.isCurrent || logs === undefined) return;
    const { prepared, reads, begunAt, madeAt } = kept;
    const ageMs = performance.now() - madeAt;
    this.#shared?.write(logs, key, { body: prepared.body, reads, begunAt, ageMs });
  }

  /** Forgets an answer in this process. */
  delete(key: string): void {
    this.#answers.delete(key);
  }

  /** Forgets every answer in this process. */
  clear(): void {
    this.#answers.clear();
  }

  #keepOrRenew(key: string, kept: KeptAnswer): KeptAnswer {
    const before = this.#answers.get(key);
    if (before !== undefined && renew(before, kept)) return before;
    this.#keepHere(key, kept);
    return kept;
  }

  #keepHere(key: string, kept: KeptAnswer): void {
    this.#answers.set(key, kept, sizeOf(key, kept));
    kept.prepared.onGrown = (bytes) => this.#answers.grow(key, kept, bytes);
  }
}
