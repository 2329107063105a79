import { X } from "lucide-react";
import { useRegions } from "../api/trpc.ts";
import { lowestTimes } from "../format/lowest-time.ts";
import { formatBound } from "../format/money.ts";
import { offerTypeName, regionOf } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import { typesOf } from "./search-params.ts";
import type { SearchParams } from "./search-params.ts";
import { useSearchParams } from "./use-search-params.ts";

interface ActiveFilter {
  /** A tag and a technology may have one name. */
  key: string;
  name: string;
  /** The URL's parameters without it. */
  without: { [Name in keyof SearchParams]?: SearchParams[Name] | undefined };
}

/** The filters of the URL, each with the parameters without it. */
function useActiveFilters(tagName: (id: string) => string): ActiveFilter[] {
  const { params } = useSearchParams();
  const money = useMoney();
  const types = typesOf(params);
  const { tag = [], tech = [], developer, publisher, lowest, min, max } = params;
  const others = (values: readonly string[], value: string) => {
    const left = values.filter((one) => one !== value);
    return left.length === 0 ? undefined : left;
  };
  return [
    ...(params.sale ? [{ key: "sale", name: "On sale", without: { sale: undefined } }] : []),
    ...lowestTimes
      .filter(({ time }) => time === lowest)
      .map(({ name }) => ({ key: "lowest", name, without: { lowest: undefined } })),
    ...(min === undefined && max === undefined
      ? []
      : [
          {
            key: "price",
            name: boundsText(min, max, money),
            without: { min: undefined, max: undefined },
          },
        ]),
    ...types.map((one) => ({
      key: `type ${one}`,
      name: offerTypeName(one),
      without: { type: others(types, one), all: types.length === 1 ? (1 as const) : undefined },
    })),
    ...tag.map((one) => ({
      key: `tag ${one}`,
      name: tagName(one),
      without: { tag: others(tag, one) },
    })),
    ...tech.map((one) => ({ key: `tech ${one}`, name: one, without: { tech: others(tech, one) } })),
    ...(developer
      ? [{ key: "developer", name: `By ${developer}`, without: { developer: undefined } }]
      : []),
    ...(publisher
      ? [{ key: "publisher", name: `From ${publisher}`, without: { publisher: undefined } }]
      : []),
  ];
}

interface ActiveFiltersProps {
  tagName: (id: string) => string;
}

/** Each active filter, with a button that removes it. */
export function ActiveFilters({ tagName }: ActiveFiltersProps) {
  const { change, clear } = useSearchParams();
  const filters = useActiveFilters(tagName);
  if (filters.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters that are on">
      {filters.map(({ key, name, without }) => (
        <li key={key}>
          <button
            type="button"
            className="chip"
            aria-label={`${name}: remove this filter`}
            onClick={() => change(without)}
          >
            {name}
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
      {filters.length > 1 ? (
        <li>
          <button type="button" className="link-button" onClick={clear}>
            Clear all
          </button>
        </li>
      ) : null}
    </ul>
  );
}

/** When nothing is found: names each filter that can be removed. */
export function LooserSearches({ tagName }: ActiveFiltersProps) {
  const { change } = useSearchParams();
  return useActiveFilters(tagName).map(({ key, name, without }) => (
    <button
      key={key}
      type="button"
      className="button button--quiet"
      onClick={() => change(without)}
    >
      Without “{name}”
    </button>
  ));
}

function boundsText(
  min: number | undefined,
  max: number | undefined,
  money: (amount: number) => string,
): string {
  if (min === undefined) return `Up to ${money(max ?? 0)}`;
  return max === undefined ? `From ${money(min)}` : `${money(min)} – ${money(max)}`;
}

function useMoney(): (amount: number) => string {
  const { country, locale } = useSettings();
  const { data: regions } = useRegions();
  const currency = regions && regionOf(regions, country);
  return (amount) =>
    currency === undefined ? String(amount) : formatBound(amount, currency, locale);
}
