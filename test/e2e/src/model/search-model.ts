import { countValues, idSeparator, valueContains } from "@storefront/testkit";
import type { ValueCount } from "@storefront/testkit";
import type { Catalogue } from "./catalogue.ts";
import type { Model, RegionEntry } from "./model.ts";
import { byCodePoint, pageOf, timeOf } from "./order.ts";
import type { OfferRecord } from "./records.ts";
import type { Replay } from "./replay.ts";
import type { Facet, SearchBody } from "./search-body.ts";
import { priceStatistics, tagsOf } from "./search-counts.ts";
import { isConsidered, sortRows } from "./search-order.ts";
import { passes } from "./search-row.ts";
import type { SearchRow } from "./search-row.ts";
import { technologiesOf } from "./technologies.ts";

/** Most buckets of an aggregation. */
const bucketsMax = 250;

/** Sources of the model. */
export interface SearchModelOptions {
  catalogue: Catalogue;
  /** For past prices. */
  replay: Pick<Replay, "prices" | "priceStates">;
  model: Model;
  regions: readonly (RegionEntry & { currencyCode: string })[];
  /** Milliseconds; default the present. */
  now?: number;
}

/** What a search finds, in order, and its region. */
export interface Found {
  rows: readonly SearchRow[];
  region: string;
}

/**
 * What searches without a text must return: plain filtering over the records of import files,
 * written from docs/api alone.
 */
export class SearchModel {
  readonly #options: SearchModelOptions;
  readonly #now: number;
  readonly #technologies: ReadonlyMap<string, readonly string[]>;
  readonly #giveaways: ReadonlyMap<string, SearchRow["giveaways"]>;
  readonly #ratings: ReadonlyMap<string, number>;
  readonly #offersById: readonly OfferRecord[];
  readonly #rows = new Map<string, SearchRow[]>();

  constructor(options: SearchModelOptions) {
    const { catalogue, now = Date.now() } = options;
    this.#options = options;
    this.#now = now;
    this.#offersById = [...catalogue.offer.values()].toSorted((a, b) => byCodePoint(a.id, b.id));
    this.#technologies = technologiesOf(catalogue);
    const giveaways = [...catalogue.giveaway.values()].map(({ offerId, startDate, endDate }) => ({
      offerId: offerId ?? "",
      start: timeOf(startDate),
      end: timeOf(endDate),
    }));
    this.#ratings = meanRatings(catalogue);
    this.#giveaways = Map.groupBy(giveaways, ({ offerId }) => offerId);
  }

  /** Finds all rows of a body, sorted. A country that is in no region counts as US. */
  find(body: SearchBody, country: string): Found {
    const { regions } = this.#options;
    const { region } = regions.find(({ countries }) =>
      countries.includes(country.toUpperCase()),
    ) ?? { region: "US" };
    return { rows: sortRows(body, this.#rowsOf(body, region)), region };
  }

  /** What `searchOffers` returns; its `aggregations` have the documented members. */
  response(body: SearchBody, { rows, region }: Found, locale: string) {
    const { page = 1, limit = 10 } = body;
    const rowsWithout = (own: keyof SearchBody) =>
      body.disjunctiveAggregations === true && body[own] !== undefined
        ? this.#rowsOf({ ...body, [own]: undefined }, region)
        : rows;
    const { facetQuery } = body;
    const count = (
      facet: Facet,
      valuesOf: Parameters<typeof countValues<SearchRow>>[1],
      own?: keyof SearchBody,
    ) => {
      const counts = countValues(own === undefined ? rows : rowsWithout(own), valuesOf);
      const isWanted = ([value]: ValueCount) =>
        facetQuery?.facet !== facet || valueContains(nameOf(value), facetQuery.text);
      return counts.filter(isWanted).slice(0, bucketsMax);
    };
    return {
      total: rows.length,
      offers: this.#offersOf(pageOf(rows, page, limit), region, locale),
      page,
      limit,
      aggregations: {
        technologies: bucketsOf(count("technologies", ({ technologies }) => technologies)),
        offerType: bucketsOf(count("offerType", ({ offer }) => [offer.offerType], "offerType")),
        tags: namedBucketsOf(
          count("tags", (row) => [...tagsOf(row)].flatMap(([id, name]) => named(name, id))),
        ),
        developer: bucketsOf(
          count("developer", ({ offer }) => [offer.developerDisplayName], "developerDisplayName"),
        ),
        publisher: bucketsOf(
          count("publisher", ({ offer }) => [offer.publisherDisplayName], "publisherDisplayName"),
        ),
        seller: namedBucketsOf(
          count("seller", ({ offer: { seller } }) => named(seller?.name, seller?.id), "seller"),
        ),
        price_stats: priceStatistics(rowsWithout("price")),
      },
      meta: { timed_out: false },
    };
  }

  /** POST /search, without the id of the query. */
  savedResponse(body: SearchBody, found: Found, locale: string) {
    const { offers, total, page, limit } = this.response(body, found, locale);
    return { elements: offers, total, page, limit };
  }

  /** What `countFacets` returns. */
  count({ rows, region }: Found) {
    const count = (valuesOf: Parameters<typeof countValues<SearchRow>>[1]) =>
      countValues(rows, valuesOf).map(([value, each]) => ({ _id: value, count: each }));
    const { min, max } = priceStatistics(rows);
    const { currencyCode } = this.#options.regions.find((each) => each.region === region) ?? {};
    return {
      tagCounts: count((row) => [...tagsOf(row).keys()]),
      offerTypeCounts: count(({ offer }) => [offer.offerType]),
      total: rows.length,
      developer: count(({ offer }) => [offer.developerDisplayName]),
      publisher: count(({ offer }) => [offer.publisherDisplayName]),
      priceRange: { minPrice: min, maxPrice: max, currency: min === null ? null : currencyCode },
    };
  }

  #offersOf(rows: readonly SearchRow[], region: string, locale: string) {
    const { model } = this.#options;
    return rows.map(({ offer }) => ({
      ...model.offer(offer, locale),
      price: model.price(offer.id, region),
    }));
  }

  #rowsOf(body: SearchBody, region: string): SearchRow[] {
    return this.#rowsIn(region).filter(
      (row) => passes(body, row, this.#now) && isConsidered(body, row, this.#now),
    );
  }

  #rowsIn(region: string): SearchRow[] {
    const known = this.#rows.get(region);
    if (known !== undefined) return known;
    const { catalogue, replay } = this.#options;
    const rows = this.#offersById.map((offer): SearchRow => {
      const priceKey = `${offer.id} ${region}`;
      const past = (replay.prices.get(priceKey) ?? []).map(({ price }) => price.discountPrice);
      return {
        offer,
        technologies: this.#technologies.get(offer.id) ?? [],
        giveaways: this.#giveaways.get(offer.id) ?? [],
        price: catalogue.price.get(priceKey),
        rating: this.#ratings.get(offer.id),
        lowest: past.length === 0 ? undefined : Math.min(...past),
        priceStates: replay.priceStates.get(priceKey) ?? [],
      };
    });
    this.#rows.set(region, rows);
    return rows;
  }
}

/** Mean ratings by offer. */
function meanRatings({ review }: Catalogue): Map<string, number> {
  const rated = [...review.values()].filter(({ rating }) => Number(rating ?? 0) > 0);
  return new Map(
    [...Map.groupBy(rated, ({ offerId }) => offerId ?? "")].map(([offerId, reviews]) => {
      const sum = reviews.reduce((total, { rating }) => total + Number(rating), 0);
      return [offerId, sum / reviews.length];
    }),
  );
}

function bucketsOf(counts: readonly ValueCount[]) {
  return { buckets: counts.map(([key, count]) => ({ key, doc_count: count })) };
}

/** A name with its id as one value. */
function named(name: string | null | undefined, id: string | null | undefined): string[] {
  return name ? [name + idSeparator + (id ?? "")] : [];
}

function nameOf(value: string): string {
  return value.split(idSeparator)[0] ?? "";
}

function namedBucketsOf(counts: readonly ValueCount[]) {
  return {
    buckets: counts.map(([value, count]) => {
      const id = value.split(idSeparator)[1];
      return { key: nameOf(value), id: id === "" ? null : id, doc_count: count };
    }),
  };
}
