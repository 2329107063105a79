import { watchEntries } from "@storefront/client";
import { useEffect, useRef, useState } from "react";
import type { Entry } from "../api/types.ts";

/** How the stream of changes is doing. */
export type LiveState = "connecting" | "live" | "paused" | "broken";

/** The stream of changes as it comes in. */
interface LiveEntries {
  state: LiveState;
  /** Newest first; at most 200. */
  entries: readonly Entry[];
}

const entriesMax = 200;

/** How long until a new stream begins where the client cannot go on, in milliseconds. */
const retryMs = 3000;

/**
 * Follows the gateway's stream of changes from now on. After a break the client reconnects and continues
 * after the last change; where the log no longer has that, a new stream begins, and `onOpen` fetches the
 * list, which has the changes between.
 *
 * @param onOpen called when the stream is open, the first time and after every break
 */
export function useLiveEntries(isPaused: boolean, onOpen: () => void): LiveEntries {
  const [state, setState] = useState<LiveState>("connecting");
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const opened = useRef(onOpen);
  useEffect(() => {
    opened.current = onOpen;
  }, [onOpen]);
  useEffect(() => {
    if (isPaused) {
      setState("paused");
      return undefined;
    }
    const left = new AbortController();
    let timer: number | undefined;
    const follow = async () => {
      let isNew = true;
      const begin = () => {
        // What was written since the last stream is newer than its entries: the list has both in order.
        if (isNew) setEntries([]);
        isNew = false;
        setState("live");
        opened.current();
      };
      const onBreak = () => setState("broken");
      try {
        const changes = watchEntries({ url: "", signal: left.signal, onOpen: begin, onBreak });
        for await (const entry of changes) {
          setEntries((known) => [entry, ...known].slice(0, entriesMax));
        }
      } catch {
        // The client has given up; a new stream starts without its position.
        onBreak();
        timer = window.setTimeout(() => void follow(), retryMs);
      }
    };
    setState("connecting");
    void follow();
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [isPaused]);
  return { state, entries };
}
