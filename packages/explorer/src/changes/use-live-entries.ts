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

/** How long until a stream is asked for again that was refused, in milliseconds. */
const retryMs = 3000;

/**
 * Follows the gateway's stream of changes from now on. After a break the browser comes back by itself
 * and says which change it had last; after a refusal, such as 503, it does not: then a new stream
 * begins, and what lies between is in the list that `onOpen` asks for.
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
    let source: EventSource;
    let timer: number | undefined;
    const connect = () => {
      source = new EventSource("/changelist/stream");
      // What was written since the last stream is newer than its entries: the list has both in order.
      source.addEventListener("open", () => setEntries([]), { once: true });
      source.addEventListener("open", () => {
        setState("live");
        opened.current();
      });
      source.addEventListener("message", ({ data }: MessageEvent<string>) => {
        setEntries((known) => [JSON.parse(data) as Entry, ...known].slice(0, entriesMax));
      });
      source.addEventListener("error", () => {
        setState("broken");
        if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(connect, retryMs);
      });
    };
    setState("connecting");
    connect();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [isPaused]);
  return { state, entries };
}
