/** A block of a stream of Server-Sent Events: any of its members may be missing, in a sign of life all. */
export interface EventBlock {
  /** What to name when coming back after it. */
  id?: string;
  data?: string;
  /** How long to wait before coming back, in milliseconds. */
  retryMs?: number;
}

/**
 * The blocks of a stream as they come in (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * An id without data counts here, which `EventSource` keeps to itself. Lines end with LF or CRLF, never
 * with CR alone. Our own, because eventsource-parser asks for a later Node than this package.
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<EventBlock> {
  const decoder = new TextDecoder();
  let rest = "";
  let lines: string[] = [];
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = part.endsWith("\r") ? part.slice(0, -1) : part;
      if (line !== "") {
        lines.push(line);
        continue;
      }
      yield blockOf(lines);
      lines = [];
    }
  }
}

function blockOf(lines: readonly string[]): EventBlock {
  const fields = lines.map((line): [name: string, value: string] => {
    const colon = line.indexOf(":");
    if (colon === -1) return [line, ""];
    const value = line.slice(colon + 1);
    return [line.slice(0, colon), value.startsWith(" ") ? value.slice(1) : value];
  });
  const last = (name: string) => fields.findLast(([field]) => field === name)?.[1];
  const data = fields.flatMap(([field, value]) => (field === "data" ? [value] : []));
  const [id, retry] = [last("id"), last("retry")];
  return {
    ...(id !== undefined && { id }),
    ...(data.length > 0 && { data: data.join("\n") }),
    ...(retry !== undefined && /^\d+$/.test(retry) && { retryMs: Number(retry) }),
  };
}
