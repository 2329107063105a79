import { kinds } from "@storefront/import-format";
import type { Importer } from "../import/importer.ts";
import { UserError } from "../user-error.ts";
import type { ForgetMirrored } from "./copy.ts";
import { originRequests, bytesOf } from "./origin.ts";

/** A write at the origin. */
interface ChangeEvent {
  /** The cursor after it. */
  cursor: string;
  /** As JSON. */
  line: string;
}

/** Events that arrived together; none for a heartbeat. */
type ChangeEvents = readonly ChangeEvent[];

/**
 * The writes at the origin after a cursor, until the connection breaks.
 *
 * @returns "pruned" when the origin no longer has them
 * @throws UserError when the origin does not know the cursor
 */
export async function openChanges(
  origin: string,
  cursor: string,
  signal: AbortSignal,
): Promise<AsyncGenerator<ChangeEvents> | "pruned"> {
  const request = originRequests(origin, [200, 410]);
  const path = `/snapshot/changes?after=${encodeURIComponent(cursor)}`;
  const response = await request(path, { accept: "text/event-stream" }, signal);
  if (response.status === 200) return eventsIn(bytesOf(response));
  await response.body?.cancel();
  return "pruned";
}

/** The events of a stream in the form that the gateway writes: an id, and data on one line. */
async function* eventsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ChangeEvents> {
  const decoder = new TextDecoder();
  // The unfinished block, in parts, since a line may be as long as many chunks.
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

interface ApplyOptions {
  importer: Importer;
  forget: ForgetMirrored;
  /** Base URL, for reasons. */
  origin: string;
}

/**
 * Stores changes in their order; resolves when all are stored. Repeated ones change nothing.
 *
 * @returns when each was stored at the origin, in milliseconds since 1970
 * @throws UserError for a change that a mirror cannot apply
 */
export async function applyChanges(
  events: readonly ChangeEvent[],
  { importer, forget, origin }: ApplyOptions,
): Promise<number[]> {
  const committedAtMs: number[] = [];
  for (const [index, { line }] of events.entries()) {
    const change: unknown = JSON.parse(line);
    const { kind = "", op, committedAt, record } = Object(change) as Change;
    committedAtMs.push(Date.parse(committedAt ?? ""));
    if (op === "forget") {
      // Earlier changes are stored before.
      await importer.flush();
      await forget(kind, keyOf(kind, record));
    } else if (op === "delete" && kinds.get(kind)?.service === "changelog") {
      throw entryRemoved(origin);
    } else {
      const position = { file: origin, line: index + 1 };
      await importer.addObservation(change, position, Buffer.byteLength(line));
    }
  }
  await importer.flush();
  return committedAtMs;
}

export function entryRemoved(origin: string): UserError {
  return new UserError(
    `${origin} has removed an entry of its changelog together with a lost history; restart with an empty stack.`,
  );
}

/** The members of a line that are used here; the importer checks all. */
interface Change {
  kind?: string;
  op?: string;
  committedAt?: string;
  record?: Record<string, string>;
}

function keyOf(kind: string, record: Change["record"]): string[] {
  return (kinds.get(kind)?.identity ?? []).map((member) => record?.[member] ?? "");
}

/**
 * Reads a source ahead while its reader is busy, and yields all elements since the last read at once.
 *
 * @param most elements that are read ahead before the source waits
 */
export async function* readAhead<Element>(
  source: AsyncIterable<readonly Element[]>,
  most: number,
): AsyncGenerator<Element[]> {
  let ready: Element[] = [];
  let isOver = false;
  let failure: unknown;
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  let isLeft = false;
  const isFull = () => ready.length >= most && !isLeft;
  const read = async () => {
    for await (const elements of source) {
      ready.push(...elements);
      if (elements.length > 0) change();
      while (isFull()) await changed.promise;
      if (isLeft) return;
    }
  };
  const reading = read()
    .catch((error: unknown) => {
      failure = error ?? new Error("the source failed");
    })
    .finally(() => {
      isOver = true;
      change();
    });
  try {
    for (;;) {
      if (ready.length > 0) {
        const taken = ready;
        ready = [];
        change();
        yield taken;
      } else if (isOver) {
        if (failure !== undefined) throw failure;
        return;
      } else {
        await changed.promise;
      }
    }
  } finally {
    isLeft = true;
    change();
    void reading;
  }
}
