import { useEffect, useId, useState } from "react";
import type { ReactNode } from "react";
import type { Aggregations } from "../api/types.ts";
import { useSearchParams } from "./use-search-params.ts";
import { useFacetValues } from "./use-search.ts";
import type { SearchedFacet } from "./use-search.ts";

/** A value that offers can be filtered by. */
export interface FacetValue {
  value: string;
  name: string;
  /** Found offers that have it. */
  count: number;
}

/** The values of counts that a filter accepts: ids if there are any. */
export function facetValues({ buckets }: Aggregations["tags" | "developer"]): FacetValue[] {
  return buckets.flatMap(({ key, doc_count, ...others }) => {
    const value = "id" in others ? others.id : key;
    return value === null ? [] : [{ value, name: key, count: doc_count }];
  });
}

interface FacetGroupProps {
  title: string;
  /** Most offers first. */
  values: readonly FacetValue[];
  chosen: readonly string[];
  /** Names a chosen value that is no longer among the values; default itself. */
  nameOf?: (value: string) => string;
  /** Gets the chosen values in the order of choice. */
  onChange: (chosen: string[]) => void;
  /** A box above the values; default none. */
  search?: ReactNode;
  /** A note on the values; default none. */
  note?: string | undefined;
}

/** Number of values that are shown at first. */
const fewValues = 6;
const manyValues = 40;

/** One filter: its most common values, and more of them on demand. Chosen values are always shown. */
export function FacetGroup(props: FacetGroupProps) {
  const { title, values, chosen, nameOf, onChange, search, note } = props;
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const shown = values.slice(0, isOpen ? manyValues : fewValues);
  const missing = chosen.filter((value) => !shown.some((one) => one.value === value));
  const all = [
    ...missing.map(
      (value): FacetValue =>
        values.find((one) => one.value === value) ?? {
          value,
          name: nameOf?.(value) ?? value,
          count: 0,
        },
    ),
    ...shown,
  ];
  if (all.length === 0 && search === undefined) return null;
  const toggle = (value: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, value] : chosen.filter((one) => one !== value));
  return (
    <fieldset className="facet">
      <legend className="facet__title">{title}</legend>
      {search}
      <ul className="facet__values" id={listId}>
        {all.map(({ value, name, count }) => (
          <li key={value}>
            <label className="facet__value">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={({ target }) => toggle(value, target.checked)}
              />
              <span className="facet__name">{name}</span>
              <span className="facet__count">{count.toLocaleString("en")}</span>
            </label>
          </li>
        ))}
      </ul>
      <p className="facet__note" aria-live="polite">
        {note}
      </p>
      {values.length > fewValues ? (
        <button
          type="button"
          className="link-button"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Fewer" : `${Math.min(values.length, manyValues) - fewValues} more`}
          <span className="visually-hidden"> of {title}</span>
        </button>
      ) : null}
    </fieldset>
  );
}

/** The placeholder of the filters. */
export function FacetsSkeleton() {
  return (
    <div className="facets" aria-hidden="true">
      {[5, 6, 6].map((rows, group) => (
        <div key={group} className="facet">
          <span className="skeleton skeleton--line" style={{ width: "40%" }} />
          {Array.from({ length: rows }, (_, row) => (
            <span
              key={row}
              className="skeleton skeleton--line"
              style={{ width: `${85 - ((row * 17 + group * 11) % 35)}%` }}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Pause in typing after which values are fetched, in milliseconds. */
const typingPauseMs = 250;

interface SearchableFacetProps extends Omit<FacetGroupProps, "search" | "note"> {
  facet: SearchedFacet;
}

/** A filter with so many values that they can be searched by typing. */
export function SearchableFacet({ facet, values, ...group }: SearchableFacetProps) {
  const { params } = useSearchParams();
  const [typed, setTyped] = useState("");
  const text = typed.trim();
  const settled = useSettled(text);
  const { data, error } = useFacetValues(params, { facet, text: text === "" ? "" : settled });
  const isLong = values.length > fewValues || typed !== "";
  const found = data && facetValues(data);
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
  if (hasFailed) return "These cannot be searched right now.";
  return isEmpty ? "No value has this name." : undefined;
}

/** The value, once it has not changed for `typingPauseMs`. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), typingPauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
