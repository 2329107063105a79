import { ChevronDown } from "lucide-react";
import { lowestTimes } from "../format/lowest-time.ts";
import { useSearchParams } from "./use-search-params.ts";

/** Chooses the time of which a price is to be the lowest. */
export function LowestSelect() {
  const { params, change } = useSearchParams();
  return (
    <label className="select select--wide">
      <span className="select__label">Price is</span>
      <select
        name="lowest"
        value={params.lowest ?? ""}
        onChange={({ target }) => {
          change({ lowest: lowestTimes.find(({ time }) => time === target.value)?.time });
        }}
      >
        <option value="">Any</option>
        {lowestTimes.map(({ time, name }) => (
          <option key={time} value={time}>
            {name}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" />
    </label>
  );
}
