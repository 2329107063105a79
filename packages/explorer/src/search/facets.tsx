import { ChevronDown } from "lucide-react";
import type { Aggregations } from "../api/types.ts";
import { lowestTimes } from "../format/lowest-time.ts";
import { offerTypeName } from "../format/names.ts";
import { FacetGroup, facetValues, FacetsSkeleton, SearchableFacet } from "./facet-group.tsx";
import { PriceFilter } from "./price-filter.tsx";
import { typesOf } from "./search-params.ts";
import { useSearchParams } from "./use-search-params.ts";

interface FacetsProps {
  /** Undefined before the first response. */
  aggregations: Aggregations | undefined;
  isPending: boolean;
  /** Names a tag that is filtered by. */
  tagName: (id: string) => string;
}

/** The counts of the page's filters. */
const nothing: Pick<
  Aggregations,
  "offerType" | "tags" | "technologies" | "developer" | "publisher"
> = {
  offerType: { buckets: [] },
  tags: { buckets: [] },
  technologies: { buckets: [] },
  developer: { buckets: [] },
  publisher: { buckets: [] },
};

/** Every filter, with the number of found offers for each of its values. */
export function Facets({ aggregations, isPending, tagName }: FacetsProps) {
  const { params, change } = useSearchParams();
  if (isPending) return <FacetsSkeleton />;
  const counted = aggregations ?? nothing;
  return (
    <div className="facets">
      <div className="facets__switches">
        <Switch
          name="On sale"
          isOn={params.sale === 1}
          onChange={(isOn) => change({ sale: isOn ? 1 : undefined })}
        />
        <LowestSelect />
      </div>
      <PriceFilter stats={aggregations?.price_stats} />
      <FacetGroup
        title="Type"
        values={facetValues(counted.offerType).map(({ value, count }) => ({
          value,
          name: offerTypeName(value),
          count,
        }))}
        chosen={typesOf(params)}
        onChange={(type) =>
          change({ type: orNothing(type), all: type.length === 0 ? 1 : undefined })
        }
      />
      <SearchableFacet
        facet="tags"
        title="Tags"
        values={facetValues(counted.tags)}
        chosen={params.tag ?? []}
        nameOf={tagName}
        onChange={(tag) => change({ tag: orNothing(tag) })}
      />
      <SearchableFacet
        facet="technologies"
        title="Technologies"
        values={facetValues(counted.technologies)}
        chosen={params.tech ?? []}
        onChange={(tech) => change({ tech: orNothing(tech) })}
      />
      <SearchableFacet
        facet="developer"
        title="Developer"
        values={facetValues(counted.developer)}
        chosen={params.developer === undefined ? [] : [params.developer]}
        onChange={(developers) => change({ developer: developers.at(-1) })}
      />
      <SearchableFacet
        facet="publisher"
        title="Publisher"
        values={facetValues(counted.publisher)}
        chosen={params.publisher === undefined ? [] : [params.publisher]}
        onChange={(publishers) => change({ publisher: publishers.at(-1) })}
      />
    </div>
  );
}

function orNothing(values: string[]): string[] | undefined {
  return values.length === 0 ? undefined : values;
}

interface SwitchProps {
  name: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function Switch({ name, isOn, onChange }: SwitchProps) {
  return (
    <label className="switch">
      <span>{name}</span>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="switch__track" aria-hidden="true" />
    </label>
  );
}

/** Chooses the period in which a price is the lowest. */
function LowestSelect() {
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
