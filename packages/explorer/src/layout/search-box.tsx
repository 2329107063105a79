import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useRouterState, useSearch } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useTRPC } from "../api/trpc.ts";
import type { SearchSuggestion } from "../api/types.ts";
import { parseSearchParams } from "../search/search-params.ts";

/** Pause in typing after which the list updates, in milliseconds. */
const settleMs = 250;

/** The same until suggestions are requested, in milliseconds. */
const suggestMs = 120;

/**
 * Finds offers by title: on the start page while typing, on other pages on Enter. It is a combobox with suggestions;
 * a title links to its offer.
 */
export function SearchBox() {
  const navigate = useNavigate();
  const isOnSearchPage = useRouterState({ select: ({ location }) => location.pathname === "/" });
  const search = useSearch({ strict: false });
  const shown = isOnSearchPage ? (search.q ?? "") : "";
  const [text, setText] = useState(shown);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<number>(undefined);
  useEffect(() => {
    // The typed text is newer than the URL.
    if (document.activeElement !== input.current) setText(shown);
  }, [shown]);
  // A pending search must not undo a navigation.
  useEffect(() => () => clearTimeout(timer.current), [isOnSearchPage]);
  useSlashKey(input);
  const listId = useId();
  const { suggestions, active, suggestFor, close, move } = useSuggestions();
  const isOpen = suggestions.length > 0;

  function find(words: string, replace: boolean): void {
    clearTimeout(timer.current);
    if (!replace) close();
    void navigate({
      to: "/",
      search: (previous) => {
        const { q: _q, page: _page, ...others } = isOnSearchPage ? parseSearchParams(previous) : {};
        return words.trim() === "" ? others : { ...others, q: words };
      },
      replace,
      resetScroll: false,
    });
  }

  function type(words: string): void {
    setText(words);
    clearTimeout(timer.current);
    if (isOnSearchPage) timer.current = window.setTimeout(() => find(words, true), settleMs);
    suggestFor(words);
  }

  function choose({ text: words, offerId }: SearchSuggestion): void {
    if (offerId === undefined) {
      setText(words);
      find(words, false);
    } else {
      clearTimeout(timer.current);
      close();
      input.current?.blur();
      void navigate({ to: "/offers/$offerId", params: { offerId } });
    }
  }

  function onKeyDown(event: React.KeyboardEvent): void {
    if (!isOpen) return;
    const chosen = suggestions[active];
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && chosen !== undefined) choose(chosen);
    else return;
    event.preventDefault();
  }

  return (
    <form
      className="search-box"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        find(text, false);
      }}
    >
      <Search className="search-box__icon" aria-hidden="true" />
      <input
        ref={input}
        type="search"
        role="combobox"
        name="q"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        aria-label="Search offers by title, developer or publisher"
        aria-keyshortcuts="/"
        placeholder="Search titles, studios, tags"
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {text === "" ? (
        <kbd className="search-box__key" aria-hidden="true">
          /
        </kbd>
      ) : (
        <button
          type="button"
          className="icon-button"
          aria-label="Clear the search"
          onClick={() => {
            setText("");
            if (isOnSearchPage) find("", false);
            input.current?.focus();
          }}
        >
          <X aria-hidden="true" />
        </button>
      )}
      {isOpen ? (
        <Suggestions id={listId} suggestions={suggestions} active={active} onChoose={choose} />
      ) : null}
    </form>
  );
}

/**
 * The suggestions for the latest text until they are closed, and the index of the active one, -1 for none. The previous
 * suggestions stay until the next ones arrive, which have no active one yet.
 */
function useSuggestions() {
  const trpc = useTRPC();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<SearchSuggestion>();
  const timer = useRef<number>(undefined);
  const { data } = useQuery(
    trpc.search.suggest.queryOptions(
      { query: text },
      // The search itself reports when the service is unavailable.
      { enabled: text !== "", placeholderData: keepPreviousData, retry: false },
    ),
  );
  const suggestions = text === "" ? [] : (data?.suggestions ?? []);
  const active = suggestions.findIndex((suggestion) => suggestion === chosen);
  const show = (words: string) => {
    clearTimeout(timer.current);
    setText(words);
    setChosen(undefined);
  };
  return {
    suggestions,
    active,
    suggestFor: (words: string) => {
      clearTimeout(timer.current);
      timer.current = window.setTimeout(() => show(words.trim()), suggestMs);
    },
    close: () => show(""),
    /** Beyond either end is the text field itself. */
    move: (by: 1 | -1) => {
      const places = suggestions.length + 1;
      setChosen(suggestions[((active + 1 + by + places) % places) - 1]);
    },
  };
}

/** The slash key focuses the search, except in a text field. */
function useSlashKey(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      const isWriting =
        target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
      if (event.key !== "/" || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [input]);
}

const kindNames = {
  title: undefined,
  seller: "Seller",
  tag: "Tag",
  correction: "Did you mean",
} as const satisfies Readonly<Record<SearchSuggestion["kind"], string | undefined>>;

function scrollToOption(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}

interface SuggestionsProps {
  /** Of the list box; each option's id is this with its index appended. */
  id: string;
  suggestions: readonly SearchSuggestion[];
  /** Index of the option that Enter chooses; -1 for none. */
  active: number;
  onChoose: (suggestion: SearchSuggestion) => void;
}

/** The list box of a combobox. The focus stays in the text field. */
function Suggestions({ id, suggestions, active, onChoose }: SuggestionsProps) {
  return (
    <ul
      className="suggestions"
      id={id}
      role="listbox"
      aria-label="Suggestions"
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.map((suggestion, index) => {
        const { kind, text, offerId = "" } = suggestion;
        const kindName = kindNames[kind];
        return (
          <li
            key={`${kind} ${text} ${offerId}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The focus is not in the list, so the browser does not scroll it.
            ref={index === active ? scrollToOption : undefined}
            onClick={() => onChoose(suggestion)}
          >
            {kindName === undefined ? null : <span className="suggestions__kind">{kindName} </span>}
            {text}
          </li>
        );
      })}
    </ul>
  );
}
