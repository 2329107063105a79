import type { SearchInput, SortField } from "../api/types.ts";
import { lowestTimes } from "../format/lowest-time.ts";
import type { LowestTime } from "../format/lowest-time.ts";
import { listOf, numberOf, textOf, withoutUndefined } from "../raw-params.ts";
import type { RawParams } from "../raw-params.ts";
import type { Settings } from "../settings.ts";

/** The parameters of a search; a member at its default is absent. */
export interface SearchParams {
  /** Words of the title. */
  q?: string;
  /** Offer types, any of them; without a text the default is games. */
  type?: string[];
  /** Present: all types, also without a text. */
  all?: 1;
  /** Tag ids, all of them. */
  tag?: string[];
  /** Technologies, all of them. */
  tech?: string[];
  developer?: string;
  publisher?: string;
  /** Bounds of the price, in minor units. */
  min?: number;
  max?: number;
  /** Present: only discounted offers. */
  sale?: 1;
  /** Only offers at their lowest price of this period. */
  lowest?: LowestTime["time"];
  sort?: SortField;
  page?: number;
}

/** Sortings with their names. The first is the default. */
export const sortings = [
  { value: "", name: "Best match" },
  { value: "releaseDate", name: "Newest" },
  { value: "rating", name: "Best rated" },
  { value: "upcoming", name: "Coming soon" },
  { value: "discountPercent", name: "Biggest discount" },
  { value: "priceAsc", name: "Price: low to high" },
  { value: "priceDesc", name: "Price: high to low" },
  { value: "lowestFor", name: "Longest at lowest price" },
  { value: "priceUpdatedAt", name: "Latest price change" },
  { value: "giveawayDate", name: "Given away lately" },
] as const satisfies readonly { value: SortField | ""; name: string }[];

/** Offers on a page: fills rows of 2, 3, 4 and 6. */
export const pageSize = 24;

/** Parses a URL; malformed parameters count as absent. */
export function parseSearchParams(raw: RawParams): SearchParams {
  // URLs from before there were several periods: on sale, and never cheaper.
  const isLowestSale = raw["lowest"] === "1" || raw["lowest"] === 1;
  const lowest = isLowestSale ? "ever" : raw["lowest"];
  const isOnSale = isLowestSale || raw["sale"] === "1" || raw["sale"] === 1;
  return withoutUndefined({
    q: textOf(raw["q"]),
    type: listOf(raw["type"]),
    all: raw["all"] === "1" || raw["all"] === 1 ? (1 as const) : undefined,
    tag: listOf(raw["tag"]),
    tech: listOf(raw["tech"]),
    developer: textOf(raw["developer"]),
    publisher: textOf(raw["publisher"]),
    min: numberOf(raw["min"], 0),
    max: numberOf(raw["max"], 0),
    sale: isOnSale ? (1 as const) : undefined,
    lowest: lowestTimes.find(({ time }) => time === lowest)?.time,
    sort: sortings.find(({ value }) => value === raw["sort"])?.value || undefined,
    page: numberOf(raw["page"], 2),
  });
}

/** The offer types that are searched for; none means all. */
export function typesOf({ q, type, all }: SearchParams): readonly string[] {
  return type ?? (q === undefined && all === undefined ? ["BASE_GAME"] : []);
}

/** The call for a URL. */
export function searchInputOf(params: SearchParams, settings: Settings): SearchInput {
  const { min, max } = params;
  const types = typesOf(params);
  return {
    ...settings,
    title: params.q,
    offerType: types.length === 0 ? undefined : [...types],
    tags: params.tag,
    technologies: params.tech,
    developerDisplayName: params.developer,
    publisherDisplayName: params.publisher,
    price: min === undefined && max === undefined ? undefined : { min, max },
    onSale: params.sale === 1 ? true : undefined,
    lowestPriceOf: params.lowest,
    lows: true,
    highlight: params.q === undefined ? undefined : true,
    sortBy: params.sort,
    page: params.page ?? 1,
    limit: pageSize,
  };
}

/** Number of filters of a URL, without text, order and page. */
export function countFilters(params: SearchParams): number {
  const { type = [], tag = [], tech = [] } = params;
  const single = [params.developer, params.publisher, params.sale, params.lowest];
  const bounds = params.min === undefined && params.max === undefined ? 0 : 1;
  return (
    type.length +
    tag.length +
    tech.length +
    bounds +
    single.filter((value) => value !== undefined).length
  );
}
