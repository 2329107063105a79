import { useNavigate, useSearch } from "@tanstack/react-router";
import type { SearchParams } from "./search-params.ts";

/** What the address asks for, and how to ask for something else. */
interface SearchControl {
  params: SearchParams;
  /** Changes members; `undefined` takes one away. Leads to the first page unless it names one. */
  change: (changed: { [Name in keyof SearchParams]?: SearchParams[Name] | undefined }) => void;
  /** Takes every filter away; keeps the text and the order. */
  clear: () => void;
}

/** The search as the address has it. */
export function useSearchParams(): SearchControl {
  const params = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  return {
    params,
    change: (changed) => {
      void navigate({
        search: (previous) =>
          withoutUndefined({ ...previous, page: undefined, ...changed }) as SearchParams,
        resetScroll: "page" in changed,
      });
    },
    clear: () => {
      const { q, sort } = params;
      void navigate({ search: withoutUndefined({ q, sort }) as SearchParams, resetScroll: false });
    },
  };
}

function withoutUndefined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
