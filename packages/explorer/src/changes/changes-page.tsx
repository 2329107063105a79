import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pause, Play, Search } from "lucide-react";
import { useState, useEffect, useRef } from "react";
import { useTRPC } from "../api/trpc.ts";
import type { Entry } from "../api/types.ts";
import { textOf, withoutUndefined } from "../raw-params.ts";
import { useDocumentTitle } from "../layout/use-document-title.ts";
import { OfferGridSkeleton } from "../search/offer-grid.tsx";
import { FailurePanel, StatePanel } from "../ui/state-panel.tsx";
import { EntryList } from "./entry-list.tsx";
import { watchEntries } from "@storefront/client";

const entriesMax = 50;

const types = ["offer", "item", "asset", "build", "sandbox"];

/** The changelog as it is written, or its entries about some words. */
export function ChangesPage() {
  useDocumentTitle("Changes");
  const trpc = useTRPC();
  const { q, type } = useSearch({ from: "/changes" });
  const [isPaused, setPaused] = useState(false);
  const { data, error, refetch } = useQuery(
    trpc.changelog.searchEntries.queryOptions(
      { query: q, type, limit: entriesMax },
      { placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  // The list is fetched again for changes between the list and the stream.
  const live = useLiveEntries(isPaused, () => void refetch());
  const isLive = q === undefined;
  const fresh = isLive ? live.entries.filter((entry) => isOfType(entry, type)) : [];
  const entries = merge(fresh, data?.hits ?? []);
  return (
    <div className="changes">
      <div className="changes__head">
        <h1 className="changes__title">Changes</h1>
        {isLive ? <LiveBadge state={live.state} isPaused={isPaused} onPause={setPaused} /> : null}
        <p className="visually-hidden" role="status">
          {fresh.length === 0 ? "" : `${fresh.length} new changes since the page was opened`}
        </p>
      </div>
      <ChangesFilter q={q} type={type} />
      {entries.length > 0 ? (
        <EntryList entries={entries} newIds={new Set(fresh.map(({ _id }) => _id))} />
      ) : error ? (
        <FailurePanel error={error} subject="The changelog" onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <OfferGridSkeleton count={0} />
      ) : (
        <StatePanel kind="empty" title="No matching changes" />
      )}
    </div>
  );
}

function isOfType({ metadata }: Entry, type: string | undefined): boolean {
  return type === undefined || metadata.contextType === type;
}

// New entries stay on top, in the order of the log; a list that is fetched again has them too.
function merge(fresh: readonly Entry[], listed: readonly Entry[]): Entry[] {
  const known = new Set(fresh.map(({ _id }) => _id));
  return [...fresh, ...listed.filter(({ _id }) => !known.has(_id))];
}

const stateNames: Readonly<Record<LiveState, string>> = {
  connecting: "Connecting",
  live: "Live",
  paused: "Paused",
  broken: "Reconnecting",
};

interface LiveBadgeProps {
  state: LiveState;
  isPaused: boolean;
  onPause: (isPaused: boolean) => void;
}

function LiveBadge({ state, isPaused, onPause }: LiveBadgeProps) {
  return (
    <div className="live" data-state={state}>
      <span className="live__dot" aria-hidden="true" />
      <span role="status">{stateNames[state]}</span>
      <button type="button" className="link-button" onClick={() => onPause(!isPaused)}>
        {isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
        {isPaused ? "Resume" : "Pause"}
      </button>
    </div>
  );
}

function ChangesFilter({ q, type }: { q: string | undefined; type: string | undefined }) {
  const navigate = useNavigate({ from: "/changes" });
  const [text, setText] = useState(q ?? "");
  const [shown, setShown] = useState(q);
  // The address changed. A new form would take the focus from the input.
  if (q !== shown) {
    setShown(q);
    setText(q ?? "");
  }
  const show = (words: string, contextType: string | undefined) =>
    void navigate({ search: withoutUndefined({ q: textOf(words.trim()), type: contextType }) });
  return (
    <form
      className="changes__filter"
      role="search"
      aria-label="Changes"
      onSubmit={(event) => {
        event.preventDefault();
        show(text, type);
      }}
    >
      <div className="search-box">
        <Search className="search-box__icon" aria-hidden="true" />
        <input
          type="search"
          value={text}
          maxLength={200}
          aria-label="Find changes by words"
          placeholder="Find changes, then Enter"
          onChange={({ target }) => {
            setText(target.value);
            if (target.value === "" && q !== undefined) show("", type);
          }}
        />
      </div>
      <div className="segments" role="group" aria-label="Kind of record">
        {[undefined, ...types].map((one) => (
          <button
            key={one ?? "all"}
            type="button"
            className="segment"
            aria-pressed={one === type}
            onClick={() => show(text, one)}
          >
            {one ?? "all"}
          </button>
        ))}
      </div>
    </form>
  );
}

/** State of the stream of changes. */
type LiveState = "connecting" | "live" | "paused" | "broken";

/** The received changes of the stream. */
interface LiveEntries {
  state: LiveState;
  /** Newest first; at most 200. */
  entries: readonly Entry[];
}

const liveEntriesMax = 200;

/** Delay of a new stream after the client has stopped retrying, in milliseconds. */
const retryMs = 3000;

/**
 * Follows the gateway's stream of changes from now on. After a break the client reconnects and continues
 * after the last change; where the log no longer has that, a new stream begins, and `onOpen` fetches the
 * list, which has the changes between.
 *
 * @param onOpen called when the stream is open, the first time and after every break
 */
function useLiveEntries(isPaused: boolean, onOpen: () => void): LiveEntries {
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
        // Writes since the last stream are newer than its entries: the list has both in order.
        if (isNew) setEntries([]);
        isNew = false;
        setState("live");
        opened.current();
      };
      const onBreak = () => setState("broken");
      try {
        const changes = watchEntries({ url: "", signal: left.signal, onOpen: begin, onBreak });
        for await (const entry of changes) {
          setEntries((known) => [entry, ...known].slice(0, liveEntriesMax));
        }
      } catch {
        // The client has stopped retrying; a new stream starts without its position.
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
