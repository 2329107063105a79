import { Backoff } from "@storefront/rpc";
import { messageOf, UserError } from "../user-error.ts";

/** Longest wait for the head of a response, or for a whole error, in milliseconds. */
const responseTimeoutMs = 60_000;

/** Longest accepted `Retry-After`, in milliseconds. */
const longestRetryAfterMs = 10 * 60_000;

const firstDelayMs = 200;
const longestDelayMs = 5000;

/** A response after which a retry may succeed. */
class PassingFailure extends Error {
  override readonly name = "PassingFailure";
  /** From the origin's `Retry-After`, in milliseconds; 0 without one. */
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Requests a path; the signal also ends the body. */
type RequestOrigin = (
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
) => Promise<Response>;

/**
 * Requests to an origin over HTTP.
 *
 * @param expected statuses of responses to return; default only 200
 * @throws UserError for a permanent failure; after any other error a retry may succeed
 */
export function originRequests(origin: string, expected: readonly number[] = [200]): RequestOrigin {
  return async (path, headers, signal) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), responseTimeoutMs);
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
  const message = `${origin} responded with ${status}: ${messageIn(await response.text())}`;
  return status === 429 || status >= 500
    ? new PassingFailure(message, retryAfterMsOf(headers.get("retry-after")))
    : new UserError(message);
}

/** The delay of a `Retry-After`, in milliseconds. A date, which proxies may send, is ignored: delays grow anyway. */
export function retryAfterMsOf(header: string | null): number {
  const seconds = /^\d+$/.test(header ?? "") ? Number(header) : 0;
  return Math.min(seconds * 1000, longestRetryAfterMs);
}

function messageIn(text: string): string {
  try {
    const { message } = Object(JSON.parse(text)) as { message?: unknown };
    return typeof message === "string" ? message : text.slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
}

/** Reports the outages of an origin, and waits between retries. */
export class OriginOutage {
  readonly #note: (line: string) => void;
  readonly #backoff = new Backoff(firstDelayMs, longestDelayMs);
  #reported = "";

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  /**
   * Waits before a retry: longer each time, and no shorter than `Retry-After`.
   *
   * @throws the error when waiting does not help
   */
  async wait(error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof UserError || signal.aborted) throw error;
    const cause = causeOf(error);
    if (cause !== this.#reported) this.#note(`${cause}; trying again.`);
    this.#reported = cause;
    const leastMs = error instanceof PassingFailure ? error.retryAfterMs : 0;
    await this.#backoff.wait(signal, leastMs);
    signal.throwIfAborted();
  }

  /** It has responded. */
  end(): void {
    if (this.#reported !== "") this.#note("The origin is back.");
    this.#reported = "";
    this.#backoff.reset();
  }
}

/** The message of `fetch`'s error does not have the cause. */
function causeOf(error: unknown): string {
  const isFetch = error instanceof TypeError && error.cause !== undefined;
  return `The origin cannot be read (${messageOf(isFetch ? error.cause : error)})`;
}

/** Longest pause of a response, in milliseconds: the origin sends a heartbeat every few seconds. */
const silenceLimitMs = 30_000;

/**
 * The bytes of a response.
 *
 * @throws Error when nothing arrives for half a minute
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
