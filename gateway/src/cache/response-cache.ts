import { LRUCache } from "lru-cache";
import { countryOfCookie } from "../http/country-cookie.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Audience, Representations } from "../http/representations.ts";
import { sendRepresentation } from "../http/send.ts";
import { contextHeaders } from "../upstream/context-headers.ts";
import { ResponseFinder } from "./response-finder.ts";
import type { ResponseFinderDependencies } from "./response-finder.ts";
import { makeResponse } from "./make-response.ts";
import type {
  CacheRequest,
  MadeResponse,
  Making,
  OriginResponse,
  Surface,
} from "./make-response.ts";
import type { Question } from "./question.ts";
import { audienceOf } from "./stored-response.ts";
import type { StoredResponse } from "./stored-response.ts";

export interface ResponseCacheDependencies extends ResponseFinderDependencies {
  /** Bytes that known request targets may take. */
  maxTargetBytes: number;
}

/** A request target that was requested before, and its responses. */
interface KnownTarget
  extends Pick<Question, "key" | "keyIn">, Pick<Exchange, "operation" | "route"> {
  surface?: Surface;
}

const targetOverheadBytes = 256;

/**
 * Responses prepared to be sent, by REST and by tRPC: a hit needs no routes, validation, tRPC or service. What a response
 * was made of is recorded while it is made, and the services' change feeds say how long it is valid; see `freshnessOf`.
 */
export class ResponseCache {
  readonly #dependencies: ResponseCacheDependencies;
  readonly #targets: LRUCache<string, KnownTarget>;
  readonly #finder: ResponseFinder;

  constructor(dependencies: ResponseCacheDependencies) {
    this.#dependencies = dependencies;
    this.#finder = new ResponseFinder(dependencies);
    this.#targets = new LRUCache({
      maxSize: dependencies.maxTargetBytes,
      sizeCalculation: ({ key = "" }, url) => url.length + key.length + targetOverheadBytes,
    });
  }

  /** See {@link ResponseFinder.revalidations}. */
  get revalidations(): ResponseFinder["revalidations"] {
    return this.#finder.revalidations;
  }

  /** Drops all responses, and the keys of known targets. */
  clear(): void {
    this.#targets.clear();
    this.#dependencies.store.clear();
  }

  get targetCount(): number {
    return this.#targets.size;
  }

  /**
   * Responds to a GET or HEAD whose target is known and whose stored response is fresh and ready.
   *
   * @param ownHeaders those of this response alone, names and values in turn; more are added
   */
  sendIfFresh(exchange: Exchange, ownHeaders: string[]): boolean {
    const { method, headers } = exchange.request;
    if (method !== "GET" && method !== "HEAD") return false;
    const target = this.#targets.get(exchange.url);
    if (target === undefined || target.surface?.isFor(headers) === false) return false;
    const { key, audience } = keyFor(target, headers.cookie);
    if (key === undefined) return false;
    const found = this.#dependencies.store.find(key, exchange.startedAt);
    if (found?.freshness !== "fresh") return false;
    const representations = formOf(found.stored, target.surface);
    const accepted = headers["accept-encoding"];
    const representation = representations.ready(accepted, audienceOf(found.stored, audience));
    if (representation === undefined) return false;
    exchange.operation = target.operation;
    exchange.route = target.route;
    exchange.cacheResult = "fresh";
    if (target.surface !== undefined) ownHeaders.push(...target.surface.headers);
    sendRepresentation(exchange, representation, withAge(ownHeaders, exchange, found.stored));
    target.surface?.observe(exchange);
    return true;
  }

  /**
   * Responds to a question: by a stored response, by one that is being made, or by a new one. Fails as the
   * question does when no stored one can replace it.
   *
   * @param ownHeaders as of `sendIfFresh`
   */
  async respond(
    exchange: Exchange,
    ownHeaders: string[],
    cacheRequest: CacheRequest,
  ): Promise<void> {
    const { question, surface } = cacheRequest;
    const { headers, method } = exchange.request;
    const { key, audience } = keyFor(question, headers.cookie);
    if (key === undefined) {
      exchange.cacheResult = "uncacheable";
      const made = await makeResponse(this.#dependencies, exchange, cacheRequest);
      await cacheRequest.send(sentTo(audience, made));
      surface?.observe(exchange);
      return;
    }
    if (method !== "POST") this.#remember(exchange, question, surface);
    const response = await this.#finder.find(key, exchange, cacheRequest);
    if ("representations" in response) {
      const form = formOf(response, surface);
      const to = audienceOf(response, audience);
      await sendStored(exchange, form, to, withAge(ownHeaders, exchange, response));
    } else if (response.stored !== undefined && response.isStoredAsMade) {
      ownHeaders.push(...contextHeaders(response.ctx));
      const to = audienceOf(response.stored, audience);
      await sendStored(exchange, formOf(response.stored, surface), to, ownHeaders);
    } else {
      // Not cached, or cached with a body that says so.
      await cacheRequest.send(sentTo(audience, response));
    }
    surface?.observe(exchange);
  }

  /** The response to a question, as `respond` sends it, for a surface that sends it in its own way. */
  async find(exchange: Exchange, making: Making): Promise<MadeResponse | StoredResponse> {
    const { key } = keyFor(making.question, exchange.request.headers.cookie);
    if (key !== undefined) return await this.#finder.find(key, exchange, making);
    exchange.cacheResult = "uncacheable";
    return await makeResponse(this.#dependencies, exchange, making);
  }

  #remember({ url, operation, route }: Exchange, question: Question, surface?: Surface): void {
    if (this.#targets.get(url) !== undefined) return;
    const { key, keyIn } = question;
    const target: KnownTarget = { key, operation, route };
    if (keyIn !== undefined) target.keyIn = keyIn;
    if (surface !== undefined) target.surface = surface;
    this.#targets.set(url, target);
  }
}

async function sendStored(
  exchange: Exchange,
  representations: Representations,
  audience: Audience,
  headers: string[],
): Promise<void> {
  const accepted = exchange.request.headers["accept-encoding"];
  sendRepresentation(exchange, await representations.prepare(accepted, audience), headers);
}

function formOf(
  { representations }: StoredResponse,
  surface: Surface | undefined,
): Representations {
  return surface === undefined ? representations : representations.within(surface.envelope);
}

function withAge(headers: string[], { startedAt }: Exchange, { madeAt }: StoredResponse): string[] {
  headers.push("Age", String(Math.max(0, Math.floor((startedAt - madeAt) / 1000))));
  return headers;
}

/** A response that may have been made for another request, with or without a country cookie. */
function sentTo(audience: Audience, { status, body, ctx }: OriginResponse): OriginResponse {
  return { status, body, ctx: { ...ctx, countryFromCookie: audience === "private" } };
}

/** The key and the audience of a request's response. */
function keyFor(
  { key, keyIn }: Pick<Question, "key" | "keyIn">,
  cookie: string | undefined,
): { key: string | undefined; audience: Audience } {
  const country = keyIn === undefined ? undefined : countryOfCookie(cookie);
  if (keyIn === undefined || country === undefined) return { key, audience: "shared" };
  return { key: keyIn(country), audience: "private" };
}
