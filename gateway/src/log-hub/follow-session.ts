import { publicErrorOf } from "../errors/public-error.ts";
import { heartbeat, idBlock } from "../http/event-blocks.ts";
import type { EventRing } from "./event-ring.ts";
import type { EventPage, FollowedSession } from "./hub-session.ts";

/** Where a follower is, and what it wants. */
interface Cursor {
  /** The last event before which it has all it wants; empty while there is none. */
  id: string;
  /** In the ring; undefined before it. */
  place: number | undefined;
  /** What it asks for alone; undefined means all. */
  readonly topic: string | undefined;
}

/** How a follower came in: with what is new, from the ring, or from the service's list. */
export type FollowerStart = "now" | "memory" | "list";

/** A follower's blocks and how it came in. */
export interface FollowerBlocks {
  start: FollowerStart;
  blocks: AsyncGenerator<string | Buffer>;
}

/** Where a follower begins, and what it wants. */
export interface FollowerCall {
  /** Begin after this event; undefined begins with what is new. */
  afterId: string | undefined;
  /** Only events of this topic; undefined means all. */
  topic?: string | undefined;
  /** Ends its blocks. */
  signal: AbortSignal;
}

/**
 * The blocks of one follower: each event after its own once, in the order of the log, and signs of
 * life. What is older than the ring, also because the follower is slow, comes page by page from the
 * service's list until it joins the ring. Where only events of other topics were, the follower is moved on
 * by an id alone. They end with the signal and with the session.
 *
 * @throws TRPCError when that event is not known or was undone; ConnectError when the session does not open
 */
export async function followSession(
  session: FollowedSession,
  { afterId, topic, signal }: FollowerCall,
): Promise<FollowerBlocks> {
  const ring = await session.opened;
  if (afterId === undefined) {
    const cursor = { id: ring.newestId, place: ring.end, topic };
    // So that a client that comes back before its first event says where it was.
    const first = cursor.id === "" ? heartbeat : idBlock(cursor.id) + heartbeat;
    return { start: "now", blocks: blocksAfter(session, ring, cursor, first, signal) };
  }
  const cursor: Cursor = { id: afterId, place: ring.placeAfter(afterId), topic };
  if (cursor.place !== undefined) {
    return { start: "memory", blocks: blocksAfter(session, ring, cursor, heartbeat, signal) };
  }
  const first = pass(cursor, await session.page(afterId, topic)) ?? heartbeat;
  return { start: "list", blocks: blocksAfter(session, ring, cursor, first, signal) };
}

async function* blocksAfter(
  session: FollowedSession,
  ring: EventRing,
  cursor: Cursor,
  first: string | Buffer,
  signal: AbortSignal,
): AsyncGenerator<string | Buffer> {
  let wake = () => {};
  signal.addEventListener("abort", () => wake(), { once: true });
  const changedSince = async (version: number) => {
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (signal.aborted) resolve();
      else session.onChange(version, resolve);
    });
  };
  yield first;
  while (!signal.aborted && !session.isOver) {
    const { version } = session;
    const next = await nextBytes(session, ring, cursor);
    if (next === "end") return;
    if (next !== undefined) {
      yield next;
      continue;
    }
    await changedSince(version);
    if (cursor.place === undefined || cursor.place === ring.end) yield heartbeat;
  }
  if (session.failure !== undefined) throw session.failure;
}

/** What follows the cursor, which it moves; undefined when there is nothing yet, "end" when nothing can. */
async function nextBytes(
  session: FollowedSession,
  ring: EventRing,
  cursor: Cursor,
): Promise<Buffer | "end" | undefined> {
  cursor.place ??= ring.placeAfter(cursor.id);
  const found = cursor.place === undefined ? "gone" : ring.read(cursor.place, cursor.topic);
  if (found !== "gone") {
    if (found === undefined) return undefined;
    cursor.place = found.place;
    cursor.id = found.id;
    return movedTo(found.id, found.bytes, found.holdsLast);
  }
  if (cursor.id === "") return "end";
  cursor.place = undefined;
  try {
    return pass(cursor, await session.page(cursor.id, cursor.topic));
  } catch (error) {
    const { status } = publicErrorOf(error);
    if (status === 404) return "end";
    // The service is away; the session gives signs of life until it is back.
    if (status > 500) return undefined;
    throw error;
  }
}

/** Moves a cursor behind a page, and gives its bytes; undefined when nothing follows yet. */
function pass(cursor: Cursor, { blocks, nextId }: EventPage): Buffer | undefined {
  if (nextId === cursor.id) return undefined;
  cursor.id = nextId;
  const bytes = Buffer.concat(blocks.map((block) => block.bytes));
  return movedTo(nextId, bytes, blocks.at(-1)?.id === nextId);
}

/** Events, and where the follower is behind them, unless the last of them says so. */
function movedTo(id: string, bytes: Buffer, holdsLast: boolean): Buffer {
  return holdsLast ? bytes : Buffer.concat([bytes, Buffer.from(idBlock(id))]);
}
