import { publicErrorOf } from "../errors/public-error.ts";
import { heartbeat, idBlock } from "../http/event-blocks.ts";
import type { EntryBlock, EntryRing } from "./entry-ring.ts";
import type { HubSession } from "./hub-session.ts";

/** Where a follower is. */
interface Cursor {
  /** The last entry that it has, or that it began after; empty while there is none. */
  id: string;
  /** In the ring; undefined before it. */
  place: number | undefined;
}

/** How a follower came in: with what is new, from the ring, or from the changelog's list. */
export type FollowerStart = "now" | "memory" | "list";

/** A follower's blocks and how it came in. */
export interface FollowedSession {
  start: FollowerStart;
  blocks: AsyncGenerator<string | Buffer>;
}

/**
 * The blocks of one follower: each entry after its own once, in the order of the log, and signs of
 * life. What is older than the ring, also because the follower is slow, comes page by page from the
 * changelog's list until it joins the ring. They end with the signal and with the session.
 *
 * @param afterEntryId undefined begins with what is new
 * @throws TRPCError when that entry is not known or was undone; ConnectError when the session does not open
 */
export async function followSession(
  session: HubSession,
  afterEntryId: string | undefined,
  signal: AbortSignal,
): Promise<FollowedSession> {
  const ring = await session.opened;
  if (afterEntryId === undefined) {
    const cursor = { id: ring.newestId, place: ring.end };
    // So that a client that comes back before its first event says where it was.
    const first = cursor.id === "" ? heartbeat : idBlock(cursor.id) + heartbeat;
    return { start: "now", blocks: blocksAfter(session, ring, cursor, first, signal) };
  }
  const cursor = { id: afterEntryId, place: ring.placeAfter(afterEntryId) };
  if (cursor.place !== undefined) {
    return { start: "memory", blocks: blocksAfter(session, ring, cursor, heartbeat, signal) };
  }
  const page = await session.page(afterEntryId);
  cursor.id = page.at(-1)?.id ?? cursor.id;
  const first = page.length === 0 ? heartbeat : bytesOf(page);
  return { start: "list", blocks: blocksAfter(session, ring, cursor, first, signal) };
}

async function* blocksAfter(
  session: HubSession,
  ring: EntryRing,
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
  session: HubSession,
  ring: EntryRing,
  cursor: Cursor,
): Promise<Buffer | "end" | undefined> {
  cursor.place ??= ring.placeAfter(cursor.id);
  const found = cursor.place === undefined ? "gone" : ring.read(cursor.place);
  if (found !== "gone") {
    if (found === undefined) return undefined;
    cursor.place = found.place;
    cursor.id = found.id;
    return found.bytes;
  }
  if (cursor.id === "") return "end";
  cursor.place = undefined;
  try {
    const page = await session.page(cursor.id);
    cursor.id = page.at(-1)?.id ?? cursor.id;
    return page.length === 0 ? undefined : bytesOf(page);
  } catch (error) {
    const { status } = publicErrorOf(error);
    if (status === 404) return "end";
    // The changelog is away; the session gives signs of life until it is back.
    if (status > 500) return undefined;
    throw error;
  }
}

function bytesOf(page: readonly EntryBlock[]): Buffer {
  return Buffer.concat(page.map(({ bytes }) => bytes));
}
