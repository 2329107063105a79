import type { IncomingHttpHeaders } from "node:http";
import { bytesOf } from "../http/content-coding.ts";
import type { Exchange } from "../http/exchange.ts";
import { Representations } from "../http/representations.ts";
import type { Audience, EndpointHeaders, Envelope } from "../http/representations.ts";
import type { CdnTagHeader } from "../tags/edge-tags.ts";
import { ReadLog } from "../tags/read-log.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { CallLimits } from "../upstream/single-flight.ts";
import type { FollowedFeeds } from "./followed-feeds.ts";
import type { Question } from "./question.ts";
import { chooseFreshMs, taggedHeaders } from "./stored-response.ts";
import type { StoredResponse } from "./stored-response.ts";

/** A question and what is kept with its responses. */
export interface Making {
  question: Question;
  /** Headers of the endpoint's responses that may be kept. */
  endpointHeaders: EndpointHeaders;
}

/** A question and how its responses are sent. */
export interface CacheRequest extends Making {
  /** Sends a response that is not kept, which another's question may have made, to who asks. */
  send: (response: OriginResponse, audience: Audience) => Promise<void>;
  /** Default: responses are given as they are. */
  surface?: Surface | undefined;
}

/** How a protocol gives responses. */
export interface Surface {
  envelope: Envelope;
  /** Of every response, beside the endpoint's: names and values in turn. */
  headers: readonly string[];
  /** Whether a request with these headers is answered so. */
  isFor: (headers: IncomingHttpHeaders) => boolean;
  /** Told of every request that was answered so. */
  observe: (exchange: Exchange) => void;
}

/** A response as the operation gave it, not from a cache, and the context that it was made in. */
export interface OriginResponse {
  status: number;
  body: Buffer;
  ctx: RequestContext;
}

/** A response as it was made. */
export interface MadeResponse extends OriginResponse {
  /** What may be kept of it. */
  stored: StoredResponse | undefined;
  /** Whether that is what was made; it may say instead that it comes from a cache. */
  isStoredAsMade: boolean;
}

/**
 * Makes the response to a question. Fails as the question does.
 *
 * @param limits of those who wait for it; default: of the exchange
 */
export type MakeResponse = (
  exchange: Exchange,
  making: Making,
  limits?: CallLimits,
) => Promise<MadeResponse>;

/** What responses are made with. */
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

/** Makes responses and notes what they are made of. */
export function createResponseMaker({
  feeds,
  createContext,
  tagHeader,
}: ResponseMakerDependencies): MakeResponse {
  return async (exchange, { question, endpointHeaders }, limits) => {
    const madeAt = performance.now();
    const { version } = feeds;
    const logs = feeds.logs();
    const begunAt = feeds.positions();
    const log = new ReadLog();
    const ctx = createContext(exchange, limits, log);
    const { status, body: text, storedBody } = await question.answer(ctx);
    const body = bytesOf(text);
    const made = { status, body, ctx, stored: undefined, isStoredAsMade: false };
    if (status !== 200 || ctx.degraded.size > 0) return made;
    // Where one log was read to says nothing about another.
    if (logs !== undefined && feeds.logs() !== logs) return made;
    const reads = log.reads();
    const verdict = feeds.judge(reads, begunAt);
    const { isFollowed } = log;
    const isCurrent = isFollowed && verdict === "current";
    const stored: StoredResponse = {
      representations: new Representations(
        storedBody === undefined ? body : bytesOf(storedBody),
        taggedHeaders(endpointHeaders, reads, tagHeader),
      ),
      reads,
      isFollowed,
      freshMs: chooseFreshMs(),
      madeAt,
      endsAt: madeAt + log.validForMs,
      begunAt,
      version,
      isCurrent,
      isTouched: verdict === "touched",
      retryAt: Number.NEGATIVE_INFINITY,
    };
    return { ...made, stored, isStoredAsMade: storedBody === undefined };
  };
}
