import { ChevronDown } from "lucide-react";
import type { Aggregations } from "../api/types.ts";
import { lowestTimes } from "../format/lowest-time.ts";
import { offerTypeName } from "../format/names.ts";
import { FacetGroup, FacetsSkeleton, SearchableFacet } from "./facet-group.tsx";
import type { FacetValue } from "./facet-group.tsx";
import { PriceFilter } from "./price-filter.tsx";
import { useSearchParams } from "./use-search-params.ts";
import type { TagNames } from "./use-search.ts";

interface FacetsProps {
  /** Undefined before the first response, and without one. */
  aggregations: Aggregations | undefined;
  isPending: boolean;
  tagNames: TagNames;
}

/** The counts of those filters that the page has. */
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

/** Every filter, with how many of the found offers each of its values has. */
export function Facets({ aggregations, isPending, tagNames }: FacetsProps) {
  const { params, change } = useSearchParams();
  if (isPending) return <FacetsSkeleton />;
  const counted = aggregations ?? nothing;
  const tags = counted.tags.buckets.flatMap(({ key, doc_count }): FacetValue[] => {
    const id = tagNames.idOf(key);
    return id === undefined ? [] : [{ value: id, name: key, count: doc_count }];
  });
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
        values={valuesOf(counted.offerType, offerTypeName)}
        chosen={params.type ?? []}
        onChange={(type) => change({ type: orNothing(type) })}
      />
      <FacetGroup
        title="Tags"
        values={tags}
        chosen={params.tag ?? []}
        nameOf={(id) => tagNames.nameOf(id) ?? id}
        onChange={(tag) => change({ tag: orNothing(tag) })}
      />
      <SearchableFacet
        facet="technologies"
        title="Technologies"
        values={valuesOf(counted.technologies)}
        chosen={params.tech ?? []}
        onChange={(tech) => change({ tech: orNothing(tech) })}
      />
      <SearchableFacet
        facet="developer"
        title="Developer"
        values={valuesOf(counted.developer)}
        chosen={params.developer === undefined ? [] : [params.developer]}
        onChange={(developers) => change({ developer: developers.at(-1) })}
      />
      <SearchableFacet
        facet="publisher"
        title="Publisher"
        values={valuesOf(counted.publisher)}
        chosen={params.publisher === undefined ? [] : [params.publisher]}
        onChange={(publishers) => change({ publisher: publishers.at(-1) })}
      />
    </div>
  );
}

function valuesOf(
  { buckets }: Aggregations["offerType"],
  nameOf: (key: string) => string = (key) => key,
): FacetValue[] {
  return buckets.map(({ key, doc_count }) => ({ value: key, name: nameOf(key), count: doc_count }));
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

/** Chooses the time of which a price is to be the lowest. */
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
