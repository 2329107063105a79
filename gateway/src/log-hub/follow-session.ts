import { publicErrorOf } from "../errors/public-error.ts";
import { heartbeat, idBlock } from "../http/event-blocks.ts";
import type { EventRing, EventStretch } from "./event-ring.ts";
import type { FollowedSession } from "./hub-session.ts";

interface Cursor {
  /** The event up to which it has everything; empty while there is none. */
  id: string;
  /** In the ring; undefined for one before it. */
  position: number | undefined;
  /** The only topic that it follows; undefined means all. */
  readonly topic: string | undefined;
}

/** How a follower began: with new events, from the ring, or from the service's list. */
export type FollowerStart = "now" | "memory" | "list";

export interface FollowerBlocks {
  start: FollowerStart;
  blocks: AsyncGenerator<string | Buffer>;
}

export interface FollowerCall {
  /** Begin after this event; undefined begins with new ones. */
  afterId: string | undefined;
  /** Only events of this topic; undefined means all. */
  topic?: string | undefined;
  /** Ends its blocks. */
  signal: AbortSignal;
}

/**
 * The blocks of one follower: each later event once, in the order of the log, and heartbeats. Events that are older than
 * the ring, also because the follower is slow, come page by page from the service's list until it reaches the ring. An id
 * alone moves the follower past events of other topics. The blocks end with the signal and with the session.
 *
 * @throws TRPCError when that event is not known or was undone; ConnectError when the session does not open
 */
export async function followSession(
  session: FollowedSession,
  { afterId, topic, signal }: FollowerCall,
): Promise<FollowerBlocks> {
  const ring = await session.opened;
  if (afterId === undefined) {
    const cursor = { id: ring.newestId, position: ring.end, topic };
    // For a client that returns before its first event.
    const first = cursor.id === "" ? heartbeat : idBlock(cursor.id) + heartbeat;
    return { start: "now", blocks: blocksAfter(session, ring, cursor, first, signal) };
  }
  const cursor: Cursor = { id: afterId, position: ring.positionAfter(afterId), topic };
  if (cursor.position !== undefined) {
    return { start: "memory", blocks: blocksAfter(session, ring, cursor, heartbeat, signal) };
  }
  const first = (await readPage(session, cursor)) ?? heartbeat;
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
    if (cursor.position === undefined || cursor.position === ring.end) yield heartbeat;
  }
  if (session.failure !== undefined) throw session.failure;
}

/** Moves the cursor, and returns the events up to it; undefined when there are none yet, "end" when there will be none. */
async function nextBytes(
  session: FollowedSession,
  ring: EventRing,
  cursor: Cursor,
): Promise<Buffer | "end" | undefined> {
  cursor.position ??= ring.positionAfter(cursor.id);
  const found = cursor.position === undefined ? "gone" : ring.read(cursor.position, cursor.topic);
  if (found !== "gone") return found && advance(cursor, found);
  if (cursor.id === "") return "end";
  try {
    return await readPage(session, cursor);
  } catch (error) {
    const { status } = publicErrorOf(error);
    if (status === 404) return "end";
    // The service is unavailable; the session sends heartbeats meanwhile.
    if (status > 500) return undefined;
    throw error;
  }
}

async function readPage(session: FollowedSession, cursor: Cursor): Promise<Buffer | undefined> {
  cursor.position = undefined;
  const page = await session.page(cursor.id, cursor.topic);
  return page.id === cursor.id ? undefined : advance(cursor, page);
}

/** Moves a cursor past events, and returns them, with the id of the last unless it is among them. */
function advance(cursor: Cursor, { id, bytes, holdsLast, position }: EventStretch): Buffer {
  cursor.id = id;
  cursor.position = position;
  return holdsLast ? bytes : Buffer.concat([bytes, Buffer.from(idBlock(id))]);
}
