import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, UserError } from "../user-error.ts";

/** Longest wait for the head of an answer, or for all of one that says why there is none, in milliseconds. */
const answerTimeoutMs = 60_000;

/** Longest time that an origin is left alone because it says so, in milliseconds. */
const longestWishMs = 10 * 60_000;

const firstDelayMs = 200;
const longestDelayMs = 5000;

/** An answer that says that the same may work later. */
class PassingFailure extends Error {
  override readonly name = "PassingFailure";
  /** What the origin asks to be waited, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Asks for a path; the signal also ends the answer's body. */
type AskOrigin = (
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
) => Promise<Response>;

/**
 * Asks an origin over HTTP.
 *
 * @returns answers of these statuses; default 200 alone
 * @throws UserError for what will not pass; any other error may
 */
export function askOrigin(origin: string, expected: readonly number[] = [200]): AskOrigin {
  return async (path, headers, signal) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerTimeoutMs);
    try {
      const response = await fetch(`${origin}${path}`, {
        headers,
        signal: AbortSignal.any([signal, late.signal]),
      });
      if (expected.includes(response.status)) return response;
      throw await failureOf(origin, response);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function failureOf(origin: string, response: Response): Promise<Error> {
  const { status, headers } = response;
  const said = `${origin} answered ${status}: ${messageIn(await response.text())}`;
  return status === 429 || status >= 500
    ? new PassingFailure(said, wishedMs(headers.get("retry-after")))
    : new UserError(said);
}

/** What `Retry-After` asks for, in milliseconds. Proxies may send a date, which is passed over: waiting grows by itself. */
export function wishedMs(header: string | null): number {
  const seconds = /^\d+$/.test(header ?? "") ? Number(header) : 0;
  return Math.min(seconds * 1000, longestWishMs);
}

function messageIn(text: string): string {
  try {
    const { message } = Object(JSON.parse(text)) as { message?: unknown };
    return typeof message === "string" ? message : text.slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
}

/** What tells that an origin is away, and how long it is waited for each time. */
export class OriginOutage {
  readonly #note: (line: string) => void;
  #delayMs = firstDelayMs;
  #said = "";

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  /**
   * Waits before it is asked again: longer each time, and never shorter than it wishes.
   *
   * @throws the error when waiting does not help
   */
  async wait(error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof UserError || signal.aborted) throw error;
    const said = causeOf(error);
    if (said !== this.#said) this.#note(`${said}; trying again.`);
    this.#said = said;
    const leastMs = error instanceof PassingFailure ? error.retryAfterMs : 0;
    // Mirrors that were cut off together do not come back together.
    const delayMs = Math.max(leastMs, this.#delayMs * (0.5 + Math.random() / 2));
    this.#delayMs = Math.min(this.#delayMs * 2, longestDelayMs);
    await sleep(delayMs, undefined, { signal });
  }

  /** It has answered. */
  end(): void {
    if (this.#said !== "") this.#note("The origin is back.");
    this.#said = "";
    this.#delayMs = firstDelayMs;
  }
}

/** `fetch` says no more than that it failed. */
function causeOf(error: unknown): string {
  const isFetch = error instanceof TypeError && error.cause !== undefined;
  return `The origin cannot be read (${messageOf(isFetch ? error.cause : error)})`;
}

/** How long an answer may stand still, in milliseconds: the origin promises a sign of life every few seconds. */
const silenceLimitMs = 30_000;

/**
 * The bytes of an answer, as its reader takes them.
 *
 * @throws Error when nothing comes for half a minute
 */
export async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function inTime<Read>(read: Promise<Read>): Promise<Read> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => silence.reject(new Error(`nothing came for ${silenceLimitMs / 1000} s`)),
    silenceLimitMs,
  );
  try {
    return await Promise.race([read, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
