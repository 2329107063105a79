import { Code, ConnectError } from "@connectrpc/connect";

/** How long the messages of a stream may take, in milliseconds. */
export interface MessageWaits {
  firstMs: number;
  nextMs: number;
}

/**
 * The messages of one call, which is given up when one takes too long, not when its reader does.
 *
 * @param open begins the call, which must end with its signal
 */
export async function* inTime<Message>(
  open: (signal: AbortSignal) => AsyncIterable<Message>,
  { firstMs, nextMs }: MessageWaits,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  const silence = new AbortController();
  const startTimer = (waitMs: number) => {
    const reason = new ConnectError("the service is silent", Code.DeadlineExceeded);
    return setTimeout(() => silence.abort(reason), waitMs);
  };
  let timer = startTimer(firstMs);
  try {
    for await (const message of open(AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer);
      yield message;
      timer = startTimer(nextMs);
    }
  } finally {
    clearTimeout(timer);
  }
}
