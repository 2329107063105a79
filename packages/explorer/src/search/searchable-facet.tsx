import { useState } from "react";
import { FacetGroup, fewValues } from "./facet-group.tsx";
import type { FacetGroupProps, FacetValue } from "./facet-group.tsx";
import { useFacetValues } from "./use-search.ts";
import type { SearchedFacet } from "./use-search.ts";
import { useSearchParams } from "./use-search-params.ts";
import { useSettled } from "./use-settled.ts";

/** How long one may pause in typing before values are asked for, in milliseconds. */
const settleMs = 250;

interface SearchableFacetProps extends Omit<FacetGroupProps, "search" | "note"> {
  facet: SearchedFacet;
}

/** A filter with so many values that the one that is meant may be typed. */
export function SearchableFacet({ facet, values, ...group }: SearchableFacetProps) {
  const { params } = useSearchParams();
  const [typed, setTyped] = useState("");
  const text = typed.trim();
  const settled = useSettled(text, settleMs);
  const { data, error } = useFacetValues(params, { facet, text: text === "" ? "" : settled });
  const isLong = values.length > fewValues || typed !== "";
  const found = data?.buckets.map(({ key, doc_count }): FacetValue => ({
    value: key,
    name: key,
    count: doc_count,
  }));
  const shown = text === "" ? values : found;
  return (
    <FacetGroup
      {...group}
      values={shown ?? values}
      note={noteOf({ isEmpty: shown?.length === 0, hasFailed: error !== null })}
      search={
        isLong ? (
          <input
            type="search"
            className="facet__search"
            value={typed}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            aria-label={`Find in ${group.title}`}
            placeholder="Find"
            onChange={({ target }) => setTyped(target.value)}
          />
        ) : undefined
      }
    />
  );
}

function noteOf({ isEmpty, hasFailed }: { isEmpty: boolean; hasFailed: boolean }) {
  if (hasFailed) return "These cannot be searched at the moment.";
  return isEmpty ? "Nothing here is called so." : undefined;
}
