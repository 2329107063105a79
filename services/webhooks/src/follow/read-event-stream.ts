/** A block of a stream of the gateway; an id without data is a position that the stream has passed. */
export interface EventBlock {
  id: string;
  data: string | undefined;
}

/** The stream cannot be resumed after that event, or does not exist. */
export class StreamNotFoundError extends Error {}

/** A stream that is silent for so long is broken: comments come every few seconds. In milliseconds. */
const silenceMs = 30_000;

/**
 * The blocks of a stream of Server-Sent Events of the gateway, those that came together as one list, until it ends.
 *
 * @param after id of the event to resume after; null begins with the next one
 * @throws StreamNotFoundError for a 404, Error for other failures
 */
export async function* readEventStream(
  url: string,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<EventBlock[]> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error("the stream is silent")), silenceMs);
  try {
    const response = await fetch(url, {
      headers: { accept: "text/event-stream", ...(after !== null && { "last-event-id": after }) },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status !== 200 || response.body === null) {
      const text = `${url} has status ${response.status}: ${await response.text()}`;
      throw response.status === 404 ? new StreamNotFoundError(text) : new Error(text);
    }
    let rest = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      timer.refresh();
      const texts = (rest + chunk).split("\n\n");
      rest = texts.pop() ?? "";
      const blocks = texts.flatMap((text) => blockOf(text.split("\n")) ?? []);
      if (blocks.length > 0) yield blocks;
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function blockOf(lines: readonly string[]): EventBlock | undefined {
  const valueOf = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const id = valueOf("id");
  return id === undefined ? undefined : { id, data: valueOf("data") };
}
