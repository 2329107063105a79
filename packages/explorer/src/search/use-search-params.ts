import { useNavigate, useSearch } from "@tanstack/react-router";
import { withoutUndefined } from "../raw-params.ts";
import type { SearchParams } from "./search-params.ts";

interface SearchControl {
  params: SearchParams;
  /** Changes members; `undefined` removes one. Resets to the first page unless it names one. */
  change: (changed: { [Name in keyof SearchParams]?: SearchParams[Name] | undefined }) => void;
  /** Removes every filter; the text and the order stay. */
  clear: () => void;
}

/** The search of the URL. */
export function useSearchParams(): SearchControl {
  const params = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  return {
    params,
    change: (changed) => {
      void navigate({
        search: (previous) => withoutUndefined({ ...previous, page: undefined, ...changed }),
        resetScroll: "page" in changed,
      });
    },
    clear: () => {
      const { q, sort } = params;
      void navigate({ search: withoutUndefined({ q, sort }), resetScroll: false });
    },
  };
}
