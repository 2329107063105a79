import { SingleFlight } from "@storefront/cache";
import type { Logger } from "@storefront/telemetry";
import { publicErrorOf } from "../errors/public-error.ts";
import type { Exchange } from "../http/exchange.ts";
import type { FollowedFeeds } from "./followed-feeds.ts";
import type { Asking, MadeResponse, MakeResponse } from "./make-response.ts";
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
  /** Of the feeds when it began. */
  version: number;
  startedAt: number;
}

// How long an answer that could not be made is not tried again while another one stands in for it.
const retryAfterMs = 1000;

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
    asking: Asking,
  ): Promise<MadeResponse | StoredResponse> {
    // Not when the exchange began: its body may have taken long to arrive.
    const now = performance.now();
    const found = this.#dependencies.store.find(key, now);
    if (found !== undefined) {
      const { stored, life } = found;
      const isTriedAgain = life === "expired" && now >= stored.retryAt;
      if (life === "stale") void this.#refresh(key, stored, exchange, asking);
      if (!isTriedAgain) {
        exchange.cacheResult = life === "expired" ? "stale_if_error" : life;
        return stored;
      }
    }
    exchange.cacheResult = "miss";
    return await this.#joinOrMake(key, exchange, asking).catch((error: unknown) => {
      // One that was given up says nothing of the next one.
      if (exchange.client.signal.aborted) throw error;
      const standIn = this.#standInFor(key, error);
      if (standIn === undefined) throw error;
      // The client is answered, but the log tells by what.
      exchange.failure = error;
      exchange.cacheResult = "stale_if_error";
      return standIn;
    });
  }

  /** The answer that is being made, if it is not too old for who asks now; else a new one. */
  async #joinOrMake(
    key: string,
    exchange: Exchange,
    asking: Asking,
  ): Promise<MadeResponse | StoredResponse> {
    const { feeds } = this.#dependencies;
    for (;;) {
      const askedAt = performance.now();
      const askedVersion = feeds.version;
      let isOwn = false;
      const flight = await this.#flights.run(key, exchange.client.signal, (signal) => {
        isOwn = true;
        return this.#make(key, exchange, asking, signal);
      });
      if (!isOwn) exchange.cacheResult = "joined";
      // A write that could be known when this request came may be missing in it.
      const isLate = !isOwn && isTooOldToJoin(flight.startedAt, askedAt);
      if ("failure" in flight) {
        if (isLate && !isOutage(flight.failure)) continue;
        throw flight.failure;
      }
      const { answer, version } = flight;
      if (isOwn && "representations" in answer) exchange.cacheResult = "shared";
      if (isOwn || "representations" in answer) return answer;
      const isTooOld = answer.isTouched
        ? version !== askedVersion
        : answer.stored?.isCurrent !== true && isLate;
      if (!isTooOld) return answer;
    }
  }

  async #make(
    key: string,
    exchange: Exchange,
    asking: Asking,
    signal: AbortSignal,
  ): Promise<Flight> {
    const { feeds, makeResponse, store } = this.#dependencies;
    const begun = { version: feeds.version, startedAt: performance.now() };
    try {
      const shared = await store.findShared(key, asking.endpointHeaders);
      if (shared !== undefined) return { ...begun, answer: shared };
      const answer = await makeResponse(exchange, asking, signal);
      if (answer.stored !== undefined) store.keep(key, answer.stored);
      return { ...begun, answer };
    } catch (failure) {
      if (!isOutage(failure)) store.delete(key);
      return { ...begun, failure };
    }
  }

  async #refresh(
    key: string,
    stored: StoredResponse,
    exchange: Exchange,
    asking: Asking,
  ): Promise<void> {
    if (performance.now() < stored.retryAt || this.#refreshedKeys.has(key)) return;
    if (this.#refreshedKeys.size >= refreshesMax) {
      this.refreshes.skipped += 1;
      return;
    }
    this.#refreshedKeys.add(key);
    // Not for a client, which has its answer already.
    const flight = await this.#flights.run(key, undefined, (signal) =>
      this.#make(key, exchange, asking, signal),
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

  #standInFor(key: string, error: unknown): StoredResponse | undefined {
    if (!isOutage(error)) return undefined;
    const now = performance.now();
    const stored = this.#dependencies.store.find(key, now)?.stored;
    if (stored !== undefined) stored.retryAt = now + retryAfterMs;
    return stored;
  }
}

/** Whether there is an answer to keep; one that lacks parts is none. */
function isRefreshed(flight: Flight): boolean {
  return (
    "answer" in flight && ("representations" in flight.answer || flight.answer.stored !== undefined)
  );
}
