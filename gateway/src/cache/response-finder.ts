import { settledWithin } from "@storefront/call-scope";
import type { Logger } from "@storefront/telemetry";
import { LRUCache } from "lru-cache";
import { publicErrorOf } from "../errors/public-error.ts";
import type { Exchange } from "../http/exchange.ts";
import type { FeedName } from "@storefront/config";
import type { FollowedFeeds } from "./followed-feeds.ts";
import type { MadeResponse, MakeResponse, Making } from "./make-response.ts";
import { SingleFlight } from "../upstream/single-flight.ts";
import type { CallLimits } from "../upstream/single-flight.ts";
import { Outages } from "./outages.ts";
import type { ResponseStore } from "./response-store.ts";
import { isTooOldToJoin, unwatchedMs } from "./stored-response.ts";
import type { StoredResponse } from "./stored-response.ts";

/** What responses are found with. */
export interface ResponseFinderDependencies {
  store: ResponseStore;
  feeds: FollowedFeeds;
  makeResponse: MakeResponse;
  /** How long a request waits for its response, in milliseconds. */
  requestTimeoutMs: number;
  logger: Logger;
}

/** What those get who wait for one response: the response or why there is none. */
type Flight = { response: MadeResponse | StoredResponse } | { failure: unknown };

/** Why there is no response, and when that was begun to be found out. */
interface Missing {
  failure: unknown;
  startedAt: number;
}

// Keys of a kilobyte at most, kept for less than a second.
const missingMax = 4096;

// How long a response that could not be made is not tried again while another one stands in for it.
// As long again it is tried behind the request.
const retryAfterMs = 1000;

// How long a response is tried of a service that is away: one that hangs would hold up the next try, and
// after the budget of a part the breaker would let none pass for another second.
const tryPatienceMs = 800;

// How long who asks waits for a new response while the feeds of what it is made of are broken.
const patienceMs = 250;

/**
 * Responses that are revalidated at a time. The rest of the stale ones can wait until they are asked for
 * again, which costs less memory and no client's time.
 */
const revalidationsMax = 32;

/** Statuses that a stored response stands in for. */
const outageStatuses = new Set([502, 503, 504]);

function isOutage(failure: unknown): boolean {
  return outageStatuses.has(publicErrorOf(failure).status);
}

/** Finds the best response that there is: a stored one, one that is being made, or a new one. */
export class ResponseFinder {
  readonly #dependencies: ResponseFinderDependencies;
  readonly #flights = new SingleFlight<Flight>(unwatchedMs);
  /** Why there is no response, where that is known not to be there. */
  readonly #missing = new LRUCache<string, Missing>({ max: missingMax });
  readonly #outages = new Outages();
  /** Keys whose responses are being made anew behind those that are given. */
  readonly #revalidatedKeys = new Set<string>();
  /** How often a stale response was to be made anew; `skipped` because too many others were. */
  readonly revalidations = { renewed: 0, failed: 0, skipped: 0 };

  constructor(dependencies: ResponseFinderDependencies) {
    this.#dependencies = dependencies;
  }

  /** The response to a question under its key. Fails as the question does when there is none to stand in. */
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
      if (freshness !== "stale_if_error" || this.#isKnownToFail(stored, now)) {
        if (freshness !== "fresh") void this.#revalidate(key, stored, exchange, making);
        exchange.cacheResult = freshness;
        return stored;
      }
    }
    const missing = this.#missing.get(key);
    if (missing !== undefined && !isTooOldToJoin(missing.startedAt, now)) {
      exchange.cacheResult = "fresh";
      throw missing.failure;
    }
    exchange.cacheResult = "miss";
    const response = this.#orStaleIfError(key, exchange, this.#joinOrMake(key, exchange, making));
    if (found === undefined) return await response;
    const early = await settledWithin(patienceMs, response);
    if (early !== undefined) return early;
    // Late, and its feed broke: it hangs.
    const { feeds } = this.#dependencies;
    const readFrom = found.stored.reads.map(([feed]) => feed);
    this.#outages.note(readFrom.filter((feed) => !feeds.isLive(feed)));
    return (
      this.#staleIfError(key, exchange, (stored) => this.#isExcused(stored)) ?? (await response)
    );
  }

  /** What is made, or a stored one that is better than a failure or a response that lacks parts. */
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

  /** Whether nothing speaks against a stored response but the silence of services that are away. */
  #isExcused({ reads, begunAt, isFollowed, endsAt }: StoredResponse): boolean {
    const { feeds } = this.#dependencies;
    const isAway = (feed: FeedName) => this.#outages.has(feed);
    const isOver = performance.now() >= endsAt;
    return isFollowed && !isOver && feeds.judge(reads, begunAt, isAway) === "current";
  }

  /** Whether who asks would wait for nothing: a new response cannot be made, as was seen just now. */
  #isKnownToFail(stored: StoredResponse, now: number): boolean {
    if (now < stored.retryAt + retryAfterMs) return true;
    return !stored.isCurrent && this.#isExcused(stored);
  }

  /** The response that is being made, if it is not too old for who asks now; else a new one. */
  async #joinOrMake(
    key: string,
    exchange: Exchange,
    making: Making,
  ): Promise<MadeResponse | StoredResponse> {
    let isOwn = false;
    const waiting = this.#limits(exchange.client.signal);
    const flight = await this.#flights.run(key, waiting, (limits) => {
      isOwn = true;
      return this.#make(key, exchange, making, limits);
    });
    if (!isOwn) exchange.cacheResult = "joined";
    if ("failure" in flight) throw flight.failure;
    if (isOwn && "representations" in flight.response) exchange.cacheResult = "shared";
    return flight.response;
  }

  #limits<Signal extends AbortSignal | undefined>(signal: Signal) {
    return { signal, deadlineAt: performance.now() + this.#dependencies.requestTimeoutMs };
  }

  async #make(
    key: string,
    exchange: Exchange,
    making: Making,
    limits: CallLimits,
  ): Promise<Flight> {
    const { makeResponse, store } = this.#dependencies;
    const { signal } = limits;
    const startedAt = performance.now();
    try {
      const shared = await store.findShared(key, making.endpointHeaders);
      if (shared !== undefined) return { response: shared };
      const response = await makeResponse(exchange, making, limits);
      // What was given up says nothing of a service.
      if (!signal.aborted) this.#outages.note(response.ctx.degraded);
      if (response.stored !== undefined) {
        store.put(key, response.stored);
        this.#noteAnswered(response.stored);
      }
      return { response };
    } catch (failure) {
      // What was given up says nothing of the response either.
      if (!signal.aborted && !isOutage(failure)) store.delete(key);
      if (publicErrorOf(failure).status === 404) this.#missing.set(key, { startedAt, failure });
      return { failure };
    }
  }

  #noteAnswered({ reads }: StoredResponse): void {
    const { feeds } = this.#dependencies;
    for (const [feed] of reads) {
      if (feeds.isLive(feed)) this.#outages.end(feed);
      else if (this.#outages.beginReturn(feed)) feeds.reconnect(feed);
    }
  }

  async #revalidate(
    key: string,
    stored: StoredResponse,
    exchange: Exchange,
    making: Making,
  ): Promise<void> {
    if (performance.now() < stored.retryAt || this.#revalidatedKeys.has(key)) return;
    if (this.#revalidatedKeys.size >= revalidationsMax) {
      this.revalidations.skipped += 1;
      return;
    }
    const readFrom = stored.reads.map(([feed]) => feed);
    if (!this.#outages.mayTry(readFrom)) return;
    const isTry = readFrom.some((feed) => this.#outages.has(feed));
    this.#revalidatedKeys.add(key);
    // Not for a client, which has its response already.
    const patience = isTry ? AbortSignal.timeout(tryPatienceMs) : undefined;
    const flight = await this.#flights
      .run(key, this.#limits(patience), (limits) => this.#make(key, exchange, making, limits))
      .catch((failure: unknown): Flight => ({ failure }));
    this.#revalidatedKeys.delete(key);
    if (isRevalidated(flight)) {
      this.revalidations.renewed += 1;
      return;
    }
    this.revalidations.failed += 1;
    stored.retryAt = performance.now() + retryAfterMs;
    if (!("failure" in flight)) return;
    const { failure: err } = flight;
    const { requestId } = exchange;
    this.#dependencies.logger.warn({ err, requestId }, "a response was not revalidated");
  }
}

/** Whether there is a response to keep; one that lacks parts is none. */
function isRevalidated(flight: Flight): boolean {
  return (
    "response" in flight &&
    ("representations" in flight.response || flight.response.stored !== undefined)
  );
}
