import { Code, ConnectError } from "@connectrpc/connect";
import type { CallOptions } from "@connectrpc/connect";

/** How a service's stream is watched. */
export interface WatchOptions {
  headers?: NonNullable<CallOptions["headers"]>;
  /** Longest wait for the first message, in milliseconds. */
  openTimeoutMs: number;
  /** Longest wait for any other message, in milliseconds; by default what services that promise one need. */
  silenceLimitMs?: number;
  /** Ends it. */
  signal: AbortSignal;
}

/** Longest wait for another message, in milliseconds: services promise one every 5 s. */
export const defaultSilenceLimitMs = 15_000;

/** One call of a service's stream; it is given up when a message takes too long, not when its reader does. */
export async function* watched<Message>(
  open: (options: CallOptions) => AsyncIterable<Message>,
  options: WatchOptions,
): AsyncGenerator<Message> {
  const { headers, openTimeoutMs, silenceLimitMs = defaultSilenceLimitMs, signal } = options;
  const silence = new AbortController();
  const startTimer = (waitMs: number) => {
    const reason = new ConnectError("the service is silent", Code.DeadlineExceeded);
    return setTimeout(() => silence.abort(reason), waitMs);
  };
  const call = { signal: AbortSignal.any([signal, silence.signal]), timeoutMs: 0 };
  let timer = startTimer(openTimeoutMs);
  try {
    for await (const message of open({ ...call, ...(headers && { headers }) })) {
      clearTimeout(timer);
      yield message;
      timer = startTimer(silenceLimitMs);
    }
  } finally {
    clearTimeout(timer);
  }
}
