import type { IncomingHttpHeaders } from "node:http";
import { bytesOf } from "../http/content-coding.ts";
import type { Exchange } from "../http/exchange.ts";
import type { EndpointHeaders, Envelope } from "../http/representations.ts";
import type { CdnTagHeader } from "../tags/edge-tags.ts";
import { ReadLog } from "../tags/read-log.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { CallLimits } from "../upstream/single-flight.ts";
import type { FollowedFeeds } from "./followed-feeds.ts";
import type { Question } from "./question.ts";
import { createStoredResponse } from "./stored-response.ts";
import type { StoredResponse } from "./stored-response.ts";

/** A question and what is stored with its responses. */
export interface Making {
  question: Question;
  /** Headers of the endpoint's cacheable responses. */
  endpointHeaders: EndpointHeaders;
}

/** A question and how its responses are sent. */
export interface CacheRequest extends Making {
  /** Sends a response that is not cached. */
  send: (response: OriginResponse) => Promise<void>;
  /** Default: responses are sent as they are. */
  surface?: Surface | undefined;
}

/** How a protocol sends responses. */
export interface Surface {
  envelope: Envelope;
  /** Of every response, in addition to the endpoint's: names and values in turn. */
  headers: readonly string[];
  /** Whether a request with these headers is served so. */
  isFor: (headers: IncomingHttpHeaders) => boolean;
  /** Called for every request that was served so. */
  observe: (exchange: Exchange) => void;
}

/** Headers of an operation's responses: names and values in turn. */
export interface ResponseHeaders {
  /** Of stored responses. */
  stored: EndpointHeaders;
  /** Of a response that is not stored, or not as it is sent. */
  unstored: (status: number, ctx: RequestContext) => string[];
}

/** A response of the operation, not from a cache, and the context that it was made in. */
export interface OriginResponse {
  status: number;
  body: Buffer;
  ctx: RequestContext;
}

export interface MadeResponse extends OriginResponse {
  /** Its cacheable form. */
  stored: StoredResponse | undefined;
  /** Whether that has the same body; it may say instead that it comes from a cache. */
  isStoredAsMade: boolean;
}

export interface ResponseMakerDependencies {
  feeds: FollowedFeeds;
  createContext: (
    exchange: Exchange,
    limits: CallLimits | undefined,
    reads: ReadLog,
  ) => RequestContext;
  /** Names the tags of responses to caches that are purged; default: there are none. */
  tagHeader?: CdnTagHeader | undefined;
}

/**
 * Makes the response to a question and records what it is made of. Fails as the question does.
 *
 * @param limits of the requests that wait for it; default: of the exchange
 */
export async function makeResponse(
  { feeds, createContext, tagHeader }: ResponseMakerDependencies,
  exchange: Exchange,
  { question, endpointHeaders }: Making,
  limits?: CallLimits,
): Promise<MadeResponse> {
  const madeAt = performance.now();
  const logs = feeds.logs();
  const begunAt = feeds.positions();
  const log = new ReadLog();
  const ctx = createContext(exchange, limits, log);
  const { status, body: text, storedBody } = await question.respond(ctx);
  const body = bytesOf(text);
  const made = { status, body, ctx, stored: undefined, isStoredAsMade: false };
  if (status !== 200 || ctx.degraded.size > 0) return made;
  // A position in one log says nothing about another.
  if (logs !== undefined && feeds.logs() !== logs) return made;
  const { isFollowed, validForMs } = log;
  const times = { madeAt, endsAt: madeAt + validForMs, begunAt };
  const stored = createStoredResponse(
    { body: storedBody === undefined ? body : bytesOf(storedBody), endpointHeaders, tagHeader },
    { reads: log.reads(), isFollowed, ...times },
    feeds,
  );
  return { ...made, stored, isStoredAsMade: storedBody === undefined };
}
