/** The next of a stream's messages did not come in time. */
class StreamSilentError extends Error {
  override readonly name = "StreamSilentError";

  constructor(limitMs: number) {
    super(`nothing came for ${limitMs} ms`);
  }
}

/**
 * The messages of a stream, which is aborted when the next one takes longer than `limitMs`. The time
 * that the reader takes between two messages does not count.
 *
 * @param open opens the stream, which must end when its signal aborts.
 */
export async function* withIdleLimit<Message>(
  open: (signal: AbortSignal) => AsyncIterable<Message>,
  limitMs: number,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  const silence = new AbortController();
  const startTimer = () => setTimeout(() => silence.abort(new StreamSilentError(limitMs)), limitMs);
  let timer = startTimer();
  try {
    for await (const message of open(AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer);
      yield message;
      timer = startTimer();
    }
  } finally {
    clearTimeout(timer);
  }
}
