import type { FollowedLog } from "./followed-log.ts";
import { followSession } from "./follow-session.ts";
import type { FollowerCall, FollowerStart } from "./follow-session.ts";
import { HubSession } from "./hub-session.ts";
import type { HubSessionOptions } from "./hub-session.ts";

export interface LogHubOptions extends HubSessionOptions {
  /** How long the log is watched after the last follower has left, in milliseconds. */
  lingerMs: number;
}

/** A log as Server-Sent Events, for any number of followers by one watch. */
export interface LogHub {
  /** Bytes of events in memory. */
  readonly sizeBytes: number;
  /** Followers by how they began. */
  readonly starts: Readonly<Record<FollowerStart, number>>;
  /** See `followSession`. */
  follow(call: FollowerCall): Promise<AsyncIterable<string | Buffer>>;
  /** Ends the watch. */
  close(): void;
}

interface Followed<LogRecord> {
  session: HubSession<LogRecord>;
  followers: number;
  linger: NodeJS.Timeout | undefined;
}

/** Makes a hub that watches a log while it has followers. */
export function createLogHub<LogRecord>(
  log: FollowedLog<LogRecord>,
  options: LogHubOptions,
): LogHub {
  const starts = { now: 0, memory: 0, list: 0 };
  let current: Followed<LogRecord> | undefined;

  function enter(signal: AbortSignal): HubSession<LogRecord> {
    if (current === undefined || current.session.isOver) {
      current = { session: new HubSession(log, options), followers: 0, linger: undefined };
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
    async follow(call) {
      const { start, blocks } = await followSession(enter(call.signal), call);
      starts[start]++;
      return blocks;
    },
    close() {
      clearTimeout(current?.linger);
      current?.session.end();
    },
  };
}
