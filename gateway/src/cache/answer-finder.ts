import { settledWithin } from "@storefront/call-scope";
import { SingleFlight } from "@storefront/cache";
import type { Logger } from "@storefront/telemetry";
import { LRUCache } from "lru-cache";
import { publicErrorOf } from "../errors/public-error.ts";
import type { Exchange } from "../http/exchange.ts";
import type { FeedName } from "@storefront/config";
import type { FollowedFeeds } from "./followed-feeds.ts";
import type { MadeResponse, MakeResponse, Making } from "./make-response.ts";
import { Outages } from "./outages.ts";
import type { ResponseStore } from "./response-store.ts";
import { isTooOldToJoin } from "./stored-response.ts";
import type { StoredResponse } from "./stored-response.ts";

/** What answers are found with. */
export interface AnswerFinderDependencies {
  store: ResponseStore;
  feeds: FollowedFeeds;
  makeResponse: MakeResponse;
  logger: Logger;
}

/** What those get who wait for one answer: the answer or why there is none. */
type Flight = Begun & ({ answer: MadeResponse | StoredResponse } | { failure: unknown });

interface Begun {
  startedAt: number;
}

// Keys of a kilobyte at most, kept for less than a second.
const missingMax = 4096;

// How long an answer that could not be made is not tried again while another one stands in for it.
// As long again it is tried behind the request.
const retryAfterMs = 1000;

// How long an answer is tried of a service that is away: one that hangs would hold up the next try, and
// after the budget of a part the breaker would let none pass for another second.
const tryPatienceMs = 800;

// How long who asks waits for a new answer while the feeds of what it is made of are broken.
const patienceMs = 250;

/**
 * Answers that are refreshed at a time. The rest of the stale ones can wait until they are asked for
 * again, which costs less memory and no client's time.
 */
const refreshesMax = 32;

/** Statuses that a stored response stands in for. */
const outageStatuses = new Set([502, 503, 504]);

function isOutage(failure: unknown): boolean {
  return outageStatuses.has(publicErrorOf(failure).status);
}

/** Finds the best answer that there is: a stored one, one that is being made, or a new one. */
export class AnswerFinder {
  readonly #dependencies: AnswerFinderDependencies;
  readonly #flights = new SingleFlight<Flight>();
  /** Why there is no answer, where that is known not to be there. */
  readonly #missing = new LRUCache<string, Begun & { failure: unknown }>({ max: missingMax });
  readonly #outages = new Outages();
  /** Keys whose answers are being made anew behind those that are given. */
  readonly #refreshedKeys = new Set<string>();
  /** How often a stale answer was to be made anew; `skipped` because too many others were. */
  readonly refreshes = { renewed: 0, failed: 0, skipped: 0 };

  constructor(dependencies: AnswerFinderDependencies) {
    this.#dependencies = dependencies;
  }

  /** The answer to a question under its key. Fails as the question does when there is none to stand in. */
  async find(
    key: string,
    exchange: Exchange,
    making: Making,
  ): Promise<MadeResponse | StoredResponse> {
    // Not when the exchange began: its body may have taken long to arrive.
    const now = performance.now();
    const found = this.#dependencies.store.find(key, now);
    if (found !== undefined) {
      const { stored, freshness } = found;
      const isStaleIfError = freshness === "expired";
      if (!isStaleIfError || this.#isKnownToFail(stored, now)) {
        if (freshness !== "fresh") void this.#refresh(key, stored, exchange, making);
        exchange.cacheResult = isStaleIfError ? "stale_if_error" : freshness;
        return stored;
      }
    }
    const missing = this.#missing.get(key);
    if (missing !== undefined && !isTooOldToJoin(missing.startedAt, now)) {
      exchange.cacheResult = "fresh";
      throw missing.failure;
    }
    exchange.cacheResult = "miss";
    const answer = this.#orStaleIfError(key, exchange, this.#joinOrMake(key, exchange, making));
    if (found === undefined) return await answer;
    const early = await settledWithin(patienceMs, answer);
    if (early !== undefined) return early;
    // Late, and its feed broke: it hangs.
    const { feeds } = this.#dependencies;
    const readFrom = found.stored.reads.map(([feed]) => feed);
    this.#outages.note(readFrom.filter((feed) => !feeds.isLive(feed)));
    return this.#staleIfError(key, exchange, (stored) => this.#isExcused(stored)) ?? (await answer);
  }

  /** What is made, or a stored one that is better than a failure or an answer that lacks parts. */
  async #orStaleIfError(
    key: string,
    exchange: Exchange,
    making: Promise<MadeResponse | StoredResponse>,
  ): Promise<MadeResponse | StoredResponse> {
    try {
      const made = await making;
      if ("representations" in made || made.ctx.degraded.size === 0) return made;
      return this.#staleIfError(key, exchange, (stored) => this.#isExcused(stored)) ?? made;
    } catch (error) {
      // One that was given up says nothing of the next one.
      if (exchange.client.signal.aborted) throw error;
      const staleIfError = isOutage(error)
        ? this.#staleIfError(key, exchange, () => true)
        : undefined;
      if (staleIfError === undefined) throw error;
      // The client is answered, but the log tells by what.
      exchange.failure = error;
      return staleIfError;
    }
  }

  #staleIfError(
    key: string,
    exchange: Exchange,
    mayBeGiven: (stored: StoredResponse) => boolean,
  ): StoredResponse | undefined {
    const now = performance.now();
    const stored = this.#dependencies.store.find(key, now)?.stored;
    if (stored === undefined || !mayBeGiven(stored)) return undefined;
    stored.retryAt = now + retryAfterMs;
    exchange.cacheResult = "stale_if_error";
    return stored;
  }

  /** Whether nothing speaks against a stored answer but the silence of services that are away. */
  #isExcused({ reads, begunAt, isFollowed, endsAt }: StoredResponse): boolean {
    const { feeds } = this.#dependencies;
    const isAway = (feed: FeedName) => this.#outages.has(feed);
    const isOver = performance.now() >= endsAt;
    return isFollowed && !isOver && feeds.judge(reads, begunAt, isAway) === "current";
  }

  /** Whether who asks would wait for nothing: a new answer cannot be made, as was seen just now. */
  #isKnownToFail(stored: StoredResponse, now: number): boolean {
    if (now < stored.retryAt + retryAfterMs) return true;
    return !stored.isCurrent && this.#isExcused(stored);
  }

  /** The answer that is being made, if it is not too old for who asks now; else a new one. */
  async #joinOrMake(
    key: string,
    exchange: Exchange,
    making: Making,
  ): Promise<MadeResponse | StoredResponse> {
    for (;;) {
      const askedAt = performance.now();
      let isOwn = false;
      const flight = await this.#flights.run(key, exchange.client.signal, (signal) => {
        isOwn = true;
        return this.#make(key, exchange, making, signal);
      });
      if (!isOwn) exchange.cacheResult = "joined";
      // A write that could be known when this request came may be missing in it.
      const isLate = !isOwn && isTooOldToJoin(flight.startedAt, askedAt);
      if ("failure" in flight) {
        if (isLate && !isOutage(flight.failure)) continue;
        throw flight.failure;
      }
      const { answer } = flight;
      if (isOwn && "representations" in answer) exchange.cacheResult = "shared";
      if (isOwn || "representations" in answer) return answer;
      if (answer.stored?.isCurrent === true || !isLate) return answer;
    }
  }

  async #make(
    key: string,
    exchange: Exchange,
    making: Making,
    signal: AbortSignal,
  ): Promise<Flight> {
    const { makeResponse, store } = this.#dependencies;
    const begun = { startedAt: performance.now() };
    try {
      const shared = await store.findShared(key, making.endpointHeaders);
      if (shared !== undefined) return { ...begun, answer: shared };
      const answer = await makeResponse(exchange, making, signal);
      // What was given up says nothing of a service.
      if (!signal.aborted) this.#outages.note(answer.ctx.degraded);
      if (answer.stored !== undefined) {
        store.keep(key, answer.stored);
        this.#noteAnswered(answer.stored);
      }
      return { ...begun, answer };
    } catch (failure) {
      // What was given up says nothing of the answer either.
      if (!signal.aborted && !isOutage(failure)) store.delete(key);
      if (publicErrorOf(failure).status === 404) this.#missing.set(key, { ...begun, failure });
      return { ...begun, failure };
    }
  }

  #noteAnswered({ reads }: StoredResponse): void {
    const { feeds } = this.#dependencies;
    for (const [feed] of reads) {
      if (feeds.isLive(feed)) this.#outages.end(feed);
      else if (this.#outages.beginReturn(feed)) feeds.followAgain(feed);
    }
  }

  async #refresh(
    key: string,
    stored: StoredResponse,
    exchange: Exchange,
    making: Making,
  ): Promise<void> {
    if (performance.now() < stored.retryAt || this.#refreshedKeys.has(key)) return;
    if (this.#refreshedKeys.size >= refreshesMax) {
      this.refreshes.skipped += 1;
      return;
    }
    const readFrom = stored.reads.map(([feed]) => feed);
    if (!this.#outages.mayTry(readFrom)) return;
    const isTry = readFrom.some((feed) => this.#outages.has(feed));
    this.#refreshedKeys.add(key);
    // Not for a client, which has its answer already.
    const patience = isTry ? AbortSignal.timeout(tryPatienceMs) : undefined;
    const flight = await this.#flights.run(key, patience, (signal) =>
      this.#make(key, exchange, making, signal),
    );
    this.#refreshedKeys.delete(key);
    if (isRefreshed(flight)) {
      this.refreshes.renewed += 1;
      return;
    }
    this.refreshes.failed += 1;
    stored.retryAt = performance.now() + retryAfterMs;
    if (!("failure" in flight)) return;
    const { failure: err } = flight;
    const { requestId } = exchange;
    this.#dependencies.logger.warn({ err, requestId }, "an answer was not refreshed");
  }
}

/** Whether there is an answer to keep; one that lacks parts is none. */
function isRefreshed(flight: Flight): boolean {
  return (
    "answer" in flight && ("representations" in flight.answer || flight.answer.stored !== undefined)
  );
}
