import { Code, ConnectError } from "@connectrpc/connect";
import type { CallOptions } from "@connectrpc/connect";
import type { Backoff } from "./backoff.ts";

/** Options to read a service's stream. */
export interface ReadStreamOptions<Message> {
  /** Calls the service. */
  open: (options: CallOptions) => AsyncIterable<Message>;
  /** Longest wait for the first message, in milliseconds; default as for the others. */
  openTimeoutMs?: number | undefined;
  /** Longest wait for each other message, in milliseconds; default 15 s, since services send one every 5 s. */
  silenceLimitMs?: number | undefined;
  /** Ends the stream. */
  signal: AbortSignal;
}

/** Options to follow a service's stream. */
export interface FollowStreamOptions<Message> extends ReadStreamOptions<Message> {
  /** Longest wait for the very first message, in milliseconds. A failure before it is permanent; default: none is. */
  openTimeoutMs?: number | undefined;
  /** Waits before the stream is reopened. */
  backoff: Backoff;
  /**
   * Called when the stream has ended or failed. Returns whether to reopen the stream; an error that it throws
   * ends the messages as well.
   */
  onBreak: (error: unknown) => boolean;
}

const defaultSilenceLimitMs = 15_000;

/**
 * The messages of one call, which is aborted when the next message takes too long. The time that the reader takes
 * between two messages does not count.
 *
 * @throws ConnectError DeadlineExceeded when the service is silent
 */
export async function* readStream<Message>({
  open,
  silenceLimitMs = defaultSilenceLimitMs,
  openTimeoutMs = silenceLimitMs,
  signal,
}: ReadStreamOptions<Message>): AsyncGenerator<Message> {
  const silence = new AbortController();
  const startTimer = (waitMs: number) => {
    const reason = new ConnectError("the service is silent", Code.DeadlineExceeded);
    return setTimeout(() => silence.abort(reason), waitMs);
  };
  let timer = startTimer(openTimeoutMs);
  try {
    const ended = AbortSignal.any([signal, silence.signal]);
    for await (const message of open({ signal: ended, timeoutMs: 0 })) {
      clearTimeout(timer);
      yield message;
      timer = startTimer(silenceLimitMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The messages of a stream, which is reopened after each break: `open` resumes after the message that the reader
 * has handled last. Ends with the signal, and when `onBreak` returns false.
 *
 * @throws the error of the first attempt, if there is an `openTimeoutMs`
 */
export async function* followStream<Message>(
  options: FollowStreamOptions<Message>,
): AsyncGenerator<Message> {
  const { backoff, onBreak, signal } = options;
  let { openTimeoutMs } = options;
  while (!signal.aborted) {
    let failure: unknown;
    try {
      for await (const message of readStream({ ...options, openTimeoutMs })) {
        backoff.reset();
        openTimeoutMs = undefined;
        yield message;
      }
    } catch (error) {
      failure = error;
    }
    if (signal.aborted) return;
    if (failure !== undefined && openTimeoutMs !== undefined) throw failure;
    if (!onBreak(failure)) return;
    await backoff.wait(signal);
  }
}
