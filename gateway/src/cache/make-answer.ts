import { bytesOf } from "../http/bytes-of.ts";
import type { Exchange } from "../http/exchange.ts";
import { PreparedAnswer } from "../http/prepared-answer.ts";
import type { Audience, EndpointHeaders } from "../http/prepared-answer.ts";
import { ReadLog } from "../tags/read-log.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { FollowedFeeds } from "./followed-feeds.ts";
import { chooseFreshMs } from "./kept-answer.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import type { Question } from "./question.ts";

/** A question and how its answers are sent. */
export interface Asking {
  question: Question;
  /** Headers of the endpoint's answers that may be kept. */
  endpointHeaders: EndpointHeaders;
  /** Sends an answer that is not kept, which another's question may have made, to who asks. */
  send: (answer: SentAnswer, audience: Audience) => Promise<void>;
}

/** An answer and the context that it was made in. */
export interface SentAnswer {
  status: number;
  body: Buffer;
  ctx: RequestContext;
}

/** An answer as it was made. */
export interface MadeAnswer extends SentAnswer {
  /** What may be kept of it. */
  kept: KeptAnswer | undefined;
  /** Whether that is what was made; it may say instead that it comes from a cache. */
  isKeptAsMade: boolean;
  /** Whether something it was made of was written meanwhile. */
  isTouched: boolean;
}

/** Makes the answer to a question. Fails as the question does. */
export type MakeAnswer = (exchange: Exchange, asking: Asking) => Promise<MadeAnswer>;

/** What answers are made with. */
export interface AnswerMakerDependencies {
  feeds: FollowedFeeds;
  createContext: (exchange: Exchange, reads: ReadLog) => RequestContext;
}

/** Makes answers and notes what they are made of. */
export function createAnswerMaker({ feeds, createContext }: AnswerMakerDependencies): MakeAnswer {
  return async (exchange, { question, endpointHeaders }) => {
    const madeAt = performance.now();
    const { version } = feeds;
    const logs = feeds.logs();
    const begunAt = feeds.positions();
    const log = new ReadLog();
    const ctx = createContext(exchange, log);
    const { status, body: text, keptBody } = await question.answer(ctx);
    const body = bytesOf(text);
    const made = { status, body, ctx, isTouched: false, kept: undefined, isKeptAsMade: false };
    if (status !== 200 || ctx.degraded.size > 0) return made;
    // Where one log was read to says nothing about another.
    if (logs !== undefined && feeds.logs() !== logs) return made;
    const reads = log.reads();
    const verdict = feeds.judge(reads, begunAt);
    if (verdict === "touched") return { ...made, isTouched: true };
    const { isFollowed } = log;
    const isCurrent = isFollowed && verdict === "current";
    const kept: KeptAnswer = {
      prepared: new PreparedAnswer(
        keptBody === undefined ? body : bytesOf(keptBody),
        endpointHeaders,
      ),
      reads,
      isFollowed,
      freshMs: chooseFreshMs(),
      madeAt,
      begunAt,
      version,
      isCurrent,
      retryAt: 0,
    };
    return { ...made, kept, isKeptAsMade: keptBody === undefined };
  };
}
