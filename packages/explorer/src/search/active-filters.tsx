import { X } from "lucide-react";
import { useRegions } from "../api/trpc.ts";
import { lowestTimes } from "../format/lowest-time.ts";
import { formatBound } from "../format/money.ts";
import { currencyIn, offerTypeName } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import { countFilters } from "./search-params.ts";
import type { SearchParams } from "./search-params.ts";
import { useSearchParams } from "./use-search-params.ts";
import type { TagNames } from "./use-search.ts";

interface ActiveFilter {
  /** A tag and a technology may have one name. */
  key: string;
  name: string;
  /** What the address has without it. */
  without: { [Name in keyof SearchParams]?: SearchParams[Name] | undefined };
}

/** Each active filter, with a button that removes it. */
export function ActiveFilters({ tagNames }: { tagNames: TagNames }) {
  const { params, change, clear } = useSearchParams();
  const money = useMoney();
  if (countFilters(params) === 0) return null;
  const { type = [], tag = [], tech = [], developer, publisher, lowest, min, max } = params;
  const others = (values: string[], value: string) => {
    const left = values.filter((one) => one !== value);
    return left.length === 0 ? undefined : left;
  };
  const filters: ActiveFilter[] = [
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
    ...type.map((one) => ({
      key: `type ${one}`,
      name: offerTypeName(one),
      without: { type: others(type, one) },
    })),
    ...tag.map((one) => ({
      key: `tag ${one}`,
      name: tagNames.nameOf(one) ?? one,
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
  const currency = regions && currencyIn(regions, country);
  return (amount) =>
    currency === undefined ? String(amount) : formatBound(amount, currency, locale);
}
