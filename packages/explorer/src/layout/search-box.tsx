import { useNavigate, useRouterState, useSearch } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { parseSearchParams } from "../search/search-params.ts";

/** How long one may pause in typing before the list follows, in milliseconds. */
const settleMs = 250;

/** Finds offers by title: on the start page while one types, from elsewhere on Enter. */
export function SearchBox() {
  const navigate = useNavigate();
  const isOnSearchPage = useRouterState({ select: ({ location }) => location.pathname === "/" });
  const search = useSearch({ strict: false });
  const shown = isOnSearchPage ? (search.q ?? "") : "";
  const [text, setText] = useState(shown);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<number>(undefined);
  useEffect(() => {
    // What is being typed is newer than the address.
    if (document.activeElement !== input.current) setText(shown);
  }, [shown]);
  // Who has gone elsewhere is not to be taken back.
  useEffect(() => () => clearTimeout(timer.current), [isOnSearchPage]);
  useSlashKey(input);

  function find(words: string, replace: boolean): void {
    clearTimeout(timer.current);
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
        name="q"
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        aria-label="Search offers by title, developer or publisher"
        aria-keyshortcuts="/"
        placeholder="Search titles, studios, tags"
        onChange={({ target }) => type(target.value)}
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
    </form>
  );
}

/** The slash key leads to the search, unless one is writing. */
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
