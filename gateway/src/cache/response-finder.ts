import { settledWithin } from "@storefront/process";
import type { FeedName, Logger } from "@storefront/process";
import { LRUCache } from "lru-cache";
import { publicErrorOf } from "../errors/public-error.ts";
import type { Exchange } from "../http/exchange.ts";
import { makeResponse } from "./make-response.ts";
import type { MadeResponse, Making, ResponseMakerDependencies } from "./make-response.ts";
import { SingleFlight } from "../upstream/single-flight.ts";
import type { CallLimits } from "../upstream/single-flight.ts";
import { Outages } from "./outages.ts";
import type { ResponseStore } from "./response-store.ts";
import { isTooOldToJoin, unwatchedMs } from "./stored-response.ts";
import type { StoredResponse } from "./stored-response.ts";

export interface ResponseFinderDependencies extends ResponseMakerDependencies {
  store: ResponseStore;
  /** How long a request waits for its response, in milliseconds. */
  requestTimeoutMs: number;
  logger: Logger;
}

type AnyResponse = MadeResponse | StoredResponse;

/** Why there is no response, and when that request was begun. */
interface Missing {
  failure: unknown;
  startedAt: number;
}

// Keys of a kilobyte at most, stored for less than a second.
const missingMax = 4096;

/** After a failure a response is not renewed for so long, and for as long again only in the background. */
const retryAfterMs = 1000;

/** How long a request waits for a new response while the feeds of its data are disconnected. */
const patienceMs = 250;

/** Renewals at a time. Other stale responses wait for their next request: that costs no memory and no client's time. */
const renewalsMax = 32;

/** Statuses that a stored response replaces. */
const outageStatuses = new Set([502, 503, 504]);

function isOutage(failure: unknown): boolean {
  return outageStatuses.has(publicErrorOf(failure).status);
}

/** Finds the best response that there is: a stored one, one in progress, or a new one. */
export class ResponseFinder {
  readonly #dependencies: ResponseFinderDependencies;
  readonly #flights = new SingleFlight<AnyResponse>(unwatchedMs);
  readonly #missing = new LRUCache<string, Missing>({ max: missingMax });
  readonly #outages = new Outages();
  readonly #renewedKeys = new Set<string>();
  /** How often a stale response was to be renewed; `skipped` because too many others were. */
  readonly revalidations = { renewed: 0, failed: 0, skipped: 0 };

  constructor(dependencies: ResponseFinderDependencies) {
    this.#dependencies = dependencies;
  }

  /** The response to a question under its key. Fails as the question does when no stored response replaces it. */
  async find(key: string, exchange: Exchange, making: Making): Promise<AnyResponse> {
    // Not when the exchange began: its body may have taken long to arrive.
    const now = performance.now();
    const found = this.#dependencies.store.find(key, now);
    if (found !== undefined) {
      const { stored, freshness } = found;
      if (freshness !== "stale_if_error" || this.#isKnownToFail(stored, now)) {
        if (freshness !== "fresh") void this.#renew(key, stored, exchange, making);
        exchange.cacheResult = freshness;
        return stored;
      }
    }
    const missing = this.#missing.get(key);
    if (missing !== undefined && !isTooOldToJoin(missing.startedAt, now)) {
      exchange.cacheResult = "fresh";
      throw missing.failure;
    }
    const response = this.#makeOrReplace(key, exchange, making);
    if (found === undefined) return await response;
    const early = await settledWithin(patienceMs, response);
    if (early !== undefined) return early;
    // Where its feed is disconnected as well, the service hangs.
    const { feeds } = this.#dependencies;
    this.#outages.note(feedsOf(found.stored).filter((feed) => !feeds.isLive(feed)));
    return this.#replacement(key, exchange) ?? (await response);
  }

  /** A new response, or a stored one that is better than a failure or a response that lacks parts. */
  async #makeOrReplace(key: string, exchange: Exchange, making: Making): Promise<AnyResponse> {
    try {
      const made = await this.#joinOrMake(key, exchange, making);
      if ("representations" in made || made.ctx.degraded.size === 0) return made;
      return this.#replacement(key, exchange) ?? made;
    } catch (error) {
      // An abandoned request says nothing of the next one.
      if (exchange.client.signal.aborted || !isOutage(error)) throw error;
      const stored = this.#replacement(key, exchange, () => true);
      if (stored === undefined) throw error;
      // For the log: the client gets a response.
      exchange.failure = error;
      return stored;
    }
  }

  /** A stored response instead of a new one. @param isUsable default: the silence of unavailable services is excused */
  #replacement(
    key: string,
    exchange: Exchange,
    isUsable = (stored: StoredResponse) => this.#isExcused(stored),
  ): StoredResponse | undefined {
    const now = performance.now();
    const stored = this.#dependencies.store.find(key, now)?.stored;
    if (stored === undefined || !isUsable(stored)) return undefined;
    stored.retryAt = now + retryAfterMs;
    exchange.cacheResult = "stale_if_error";
    return stored;
  }

  /** Whether all feeds vouch for a stored response but those of unavailable services. */
  #isExcused({ reads, begunAt, isFollowed, endsAt }: StoredResponse): boolean {
    const isUnavailable = (feed: FeedName) => this.#outages.has(feed);
    if (!isFollowed || performance.now() >= endsAt) return false;
    return this.#dependencies.feeds.judge(reads, begunAt, isUnavailable) === "current";
  }

  /** Whether a request would wait without effect: a new response could not be made just now. */
  #isKnownToFail(stored: StoredResponse, now: number): boolean {
    if (now < stored.retryAt + retryAfterMs) return true;
    return !stored.isCurrent && this.#isExcused(stored);
  }

  /** The response in progress, unless that is too old for this request; else a new one. */
  async #joinOrMake(key: string, exchange: Exchange, making: Making): Promise<AnyResponse> {
    exchange.cacheResult = "joined";
    const waiting = this.#limits(exchange.client.signal);
    return await this.#flights.run(key, waiting, async (limits) => {
      exchange.cacheResult = "miss";
      const response = await this.#make(key, exchange, making, limits);
      if ("representations" in response) exchange.cacheResult = "shared";
      return response;
    });
  }

  #limits<Signal extends AbortSignal | undefined>(signal: Signal) {
    return { signal, deadlineAt: performance.now() + this.#dependencies.requestTimeoutMs };
  }

  async #make(
    key: string,
    exchange: Exchange,
    making: Making,
    limits: CallLimits,
  ): Promise<AnyResponse> {
    const { store } = this.#dependencies;
    const { signal } = limits;
    const startedAt = performance.now();
    try {
      const shared = await store.findShared(key, making.endpointHeaders);
      if (shared !== undefined) return shared;
      const response = await makeResponse(this.#dependencies, exchange, making, limits);
      // Abandoned work says nothing of a service, nor of the response.
      if (!signal.aborted) this.#outages.note(response.ctx.degraded);
      if (response.stored !== undefined) {
        store.put(key, response.stored);
        this.#noteAvailable(response.stored);
      }
      return response;
    } catch (failure) {
      if (!signal.aborted && !isOutage(failure)) store.delete(key);
      if (publicErrorOf(failure).status === 404) this.#missing.set(key, { startedAt, failure });
      throw failure;
    }
  }

  #noteAvailable(stored: StoredResponse): void {
    const { feeds } = this.#dependencies;
    for (const feed of feedsOf(stored)) {
      if (feeds.isLive(feed)) this.#outages.end(feed);
      else if (this.#outages.beginReturn(feed)) feeds.reconnect(feed);
    }
  }

  /** Makes a response again in the background; never rejects. */
  async #renew(
    key: string,
    stored: StoredResponse,
    exchange: Exchange,
    making: Making,
  ): Promise<void> {
    if (performance.now() < stored.retryAt || this.#renewedKeys.has(key)) return;
    if (this.#renewedKeys.size >= renewalsMax) {
      this.revalidations.skipped += 1;
      return;
    }
    const feeds = feedsOf(stored);
    if (!this.#outages.mayTry(feeds)) return;
    // Otherwise a service that hangs would delay the next attempt, and the breaker would let none pass for a second after
    // the budget of a part.
    const patience = feeds.some((feed) => this.#outages.has(feed))
      ? AbortSignal.timeout(unwatchedMs)
      : undefined;
    this.#renewedKeys.add(key);
    try {
      const response = await this.#flights.run(key, this.#limits(patience), (limits) =>
        this.#make(key, exchange, making, limits),
      );
      if ("representations" in response || response.stored !== undefined) {
        this.revalidations.renewed += 1;
        return;
      }
    } catch (err) {
      const { requestId } = exchange;
      this.#dependencies.logger.warn({ err, requestId }, "a response was not revalidated");
    } finally {
      this.#renewedKeys.delete(key);
    }
    this.revalidations.failed += 1;
    stored.retryAt = performance.now() + retryAfterMs;
  }
}

function feedsOf({ reads }: StoredResponse): FeedName[] {
  return reads.map(([feed]) => feed);
}
