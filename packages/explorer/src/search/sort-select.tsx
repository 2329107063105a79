import { ChevronDown } from "lucide-react";
import { sortings } from "./search-params.ts";
import { useSearchParams } from "./use-search-params.ts";

/** Chooses the order of the offers. */
export function SortSelect() {
  const { params, change } = useSearchParams();
  return (
    <label className="select select--wide">
      <span className="select__label">Sort</span>
      <select
        name="sort"
        value={params.sort ?? ""}
        onChange={({ target }) => {
          const sorting = sortings.find(({ value }) => value === target.value);
          change({ sort: sorting?.value || undefined });
        }}
      >
        {sortings.map(({ value, name }) => (
          <option key={value} value={value}>
            {value === "" && params.q === undefined ? "Latest changes" : name}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" />
    </label>
  );
}
