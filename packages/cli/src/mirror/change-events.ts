import { askOrigin } from "./origin.ts";
import { bytesOf } from "./response-bytes.ts";

/** A write at the origin. */
export interface ChangeEvent {
  /** The cursor after it. */
  cursor: string;
  /** As JSON. */
  line: string;
}

/** Events that came together; none is a sign of life. */
export type ChangeEvents = readonly ChangeEvent[];

/**
 * What is written at the origin after a cursor, as it comes, until the connection breaks.
 *
 * @returns "pruned" where the origin does not keep it any more
 * @throws UserError when the origin does not know the cursor
 */
export async function openChanges(
  origin: string,
  cursor: string,
  signal: AbortSignal,
): Promise<AsyncGenerator<ChangeEvents> | "pruned"> {
  const ask = askOrigin(origin, [200, 410]);
  const path = `/snapshot/changes?after=${encodeURIComponent(cursor)}`;
  const response = await ask(path, { accept: "text/event-stream" }, signal);
  if (response.status === 200) return eventsIn(bytesOf(response));
  await response.body?.cancel();
  return "pruned";
}

/** The events of a stream, whose lines are those that the gateway writes: an id, and data on one line. */
async function* eventsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ChangeEvents> {
  const decoder = new TextDecoder();
  // What has come of a block that is not whole, in parts, since a line may be as long as many chunks.
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    const last = parts.at(-1);
    // The empty line at the end of a block may lie across two chunks.
    const isSplit = last?.endsWith("\n") === true && text.startsWith("\n");
    if (!text.includes("\n\n") && !isSplit) {
      if (text !== "") parts.push(text);
      continue;
    }
    const blocks = [...parts, text].join("").split("\n\n");
    parts = [blocks.pop() ?? ""].filter((rest) => rest !== "");
    yield blocks.flatMap(eventOf);
  }
}

function eventOf(block: string): ChangeEvent[] {
  const lines = block.split("\n");
  const [cursor] = lines.flatMap((line) => (line.startsWith("id: ") ? [line.slice(4)] : []));
  const [data] = lines.flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
  return cursor === undefined || data === undefined ? [] : [{ cursor, line: data }];
}
