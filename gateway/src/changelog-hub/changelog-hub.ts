import { followSession } from "./follow-session.ts";
import type { FollowerStart } from "./follow-session.ts";
import { HubSession } from "./hub-session.ts";
import type { HubSessionOptions } from "./hub-session.ts";

/** What the hub works with. */
export interface ChangelogHubOptions extends HubSessionOptions {
  /** How long the changelog is watched after the last follower has left, in milliseconds. */
  lingerMs: number;
}

/** How a follower begins. */
export interface HubCall {
  /** Begin after this entry; undefined begins with what is stored from now on. */
  afterEntryId: string | undefined;
  /** Ends its blocks. */
  signal: AbortSignal;
}

/** The changes as Server-Sent Events, for any number of followers by one watch of the changelog. */
export interface ChangelogHub {
  /** Bytes of events that it remembers. */
  readonly sizeBytes: number;
  /** How many followers came in how. */
  readonly starts: Readonly<Record<FollowerStart, number>>;
  /** See `followSession`. */
  follow(call: HubCall): Promise<AsyncIterable<string | Buffer>>;
  /** Ends the watch. */
  close(): void;
}

interface Followed {
  session: HubSession;
  followers: number;
  linger: NodeJS.Timeout | undefined;
}

/** Makes a hub that watches the changelog while somebody follows it. */
export function createChangelogHub(options: ChangelogHubOptions): ChangelogHub {
  const starts = { now: 0, memory: 0, list: 0 };
  let current: Followed | undefined;

  function enter(signal: AbortSignal): HubSession {
    if (current === undefined || current.session.isOver) {
      current = { session: new HubSession(options), followers: 0, linger: undefined };
    }
    const followed = current;
    clearTimeout(followed.linger);
    followed.followers++;
    const leave = () => {
      followed.followers--;
      if (followed.followers > 0) return;
      followed.linger = setTimeout(() => followed.session.end(), options.lingerMs).unref();
    };
    signal.addEventListener("abort", leave, { once: true });
    return followed.session;
  }

  return {
    starts,
    get sizeBytes() {
      return current?.session.sizeBytes ?? 0;
    },
    async follow({ afterEntryId, signal }) {
      const { start, blocks } = await followSession(enter(signal), afterEntryId, signal);
      starts[start]++;
      return blocks;
    },
    close() {
      clearTimeout(current?.linger);
      current?.session.end();
    },
  };
}
