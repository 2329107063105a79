import { SingleFlight } from "@storefront/cache";
import type { Logger } from "@storefront/telemetry";
import { LRUCache } from "lru-cache";
import { publicErrorOf } from "../errors/public-error.ts";
import { countryOfCookie } from "../http/country-cookie.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Audience } from "../http/representations.ts";
import { sendRepresentation } from "../http/send.ts";
import { contextHeaders } from "../upstream/context-headers.ts";
import type { FollowedFeeds } from "./followed-feeds.ts";
import type { Asking, MadeResponse, MakeResponse } from "./make-response.ts";
import type { Question } from "./question.ts";
import type { ResponseStore } from "./response-store.ts";
import { isTooOldToJoin } from "./stored-response.ts";
import type { StoredResponse } from "./stored-response.ts";

/** What the cache works with. */
export interface ResponseCacheDependencies {
  store: ResponseStore;
  feeds: FollowedFeeds;
  makeResponse: MakeResponse;
  /** Bytes that known request targets may take. */
  maxTargetBytes: number;
  logger: Logger;
}

/** A request target that was asked before: which answers it means. */
type KnownTarget = Pick<Question, "key" | "keyIn"> & Pick<Exchange, "operation" | "route">;

/** What those get who wait for one answer: the answer or why there is none. */
type Flight = Begun & ({ answer: MadeResponse | StoredResponse } | { failure: unknown });

interface Begun {
  /** Of the feeds when it began. */
  version: number;
  startedAt: number;
}

const targetOverheadBytes = 256;

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

/**
 * Answers of the REST surface, prepared to be sent: a hit touches neither routes, validation, tRPC
 * nor a service. What an answer was made of is noted while it is made, and the change feeds of the
 * services say how long it holds; see `lifeOf`.
 */
export class ResponseCache {
  readonly #dependencies: ResponseCacheDependencies;
  readonly #targets: LRUCache<string, KnownTarget>;
  readonly #flights = new SingleFlight<Flight>();
  /** Keys whose answers are being made anew behind those that are given. */
  readonly #refreshedKeys = new Set<string>();
  /** How often a stale answer was to be made anew; `skipped` because too many others were. */
  readonly refreshes = { renewed: 0, failed: 0, skipped: 0 };

  constructor(dependencies: ResponseCacheDependencies) {
    this.#dependencies = dependencies;
    this.#targets = new LRUCache({
      maxSize: dependencies.maxTargetBytes,
      sizeCalculation: ({ key = "" }, url) => url.length + key.length + targetOverheadBytes,
    });
  }

  /** Request targets that are known. */
  get targetCount(): number {
    return this.#targets.size;
  }

  /**
   * Answers a GET or HEAD whose target was asked before and whose answer is fresh and ready.
   *
   * @param ownHeaders those of this answer alone, names and values in turn; more are added
   */
  answerKnown(exchange: Exchange, ownHeaders: string[]): boolean {
    const { method, headers } = exchange.request;
    if (method !== "GET" && method !== "HEAD") return false;
    const target = this.#targets.get(exchange.url);
    if (target === undefined) return false;
    const { key, audience } = keyFor(target, headers.cookie);
    if (key === undefined) return false;
    const found = this.#dependencies.store.find(key, exchange.startedAt);
    if (found?.life !== "fresh") return false;
    const representation = found.stored.representations.ready(headers["accept-encoding"], audience);
    if (representation === undefined) return false;
    exchange.operation = target.operation;
    exchange.route = target.route;
    exchange.cacheResult = "fresh";
    sendRepresentation(exchange, representation, withAge(ownHeaders, exchange, found.stored));
    return true;
  }

  /**
   * Answers a question: by a stored response, by one that is being made, or by a new one. Fails as the
   * question does when there is none to stand in.
   *
   * @param ownHeaders as of `answerKnown`
   */
  async answer(exchange: Exchange, ownHeaders: string[], asking: Asking): Promise<void> {
    const { question } = asking;
    const { headers, method } = exchange.request;
    const { key, audience } = keyFor(question, headers.cookie);
    if (key === undefined) {
      exchange.cacheResult = "uncacheable";
      const made = await this.#dependencies.makeResponse(exchange, asking, exchange.client.signal);
      await asking.send(made, audience);
      return;
    }
    if (method !== "POST") this.#remember(exchange, question);
    const answer = await this.#find(key, exchange, asking);
    if ("representations" in answer) {
      await sendStored(exchange, answer, audience, withAge(ownHeaders, exchange, answer));
    } else if (answer.stored !== undefined && answer.isStoredAsMade) {
      ownHeaders.push(...contextHeaders(answer.ctx));
      await sendStored(exchange, answer.stored, audience, ownHeaders);
    } else {
      // Not kept, or kept as what says that it comes from a cache.
      await asking.send(answer, audience);
    }
  }

  async #find(
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

  #remember({ url, operation, route }: Exchange, { key, keyIn }: Question): void {
    if (this.#targets.get(url) !== undefined) return;
    const target: KnownTarget =
      keyIn === undefined ? { key, operation, route } : { key, keyIn, operation, route };
    this.#targets.set(url, target);
  }
}

/** Whether there is an answer to keep; one that lacks parts is none. */
function isRefreshed(flight: Flight): boolean {
  return (
    "answer" in flight && ("representations" in flight.answer || flight.answer.stored !== undefined)
  );
}

async function sendStored(
  exchange: Exchange,
  { representations }: StoredResponse,
  audience: Audience,
  headers: string[],
): Promise<void> {
  const accepted = exchange.request.headers["accept-encoding"];
  sendRepresentation(exchange, await representations.prepare(accepted, audience), headers);
}

function withAge(headers: string[], { startedAt }: Exchange, { madeAt }: StoredResponse): string[] {
  headers.push("Age", String(Math.max(0, Math.floor((startedAt - madeAt) / 1000))));
  return headers;
}

/** The key of a request's answer, and whom the answer is for. */
function keyFor(
  { key, keyIn }: Pick<Question, "key" | "keyIn">,
  cookie: string | undefined,
): { key: string | undefined; audience: Audience } {
  const country = keyIn === undefined ? undefined : countryOfCookie(cookie);
  if (keyIn === undefined || country === undefined) return { key, audience: "shared" };
  return { key: keyIn(country), audience: "private" };
}
