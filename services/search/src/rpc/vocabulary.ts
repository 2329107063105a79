import { defaultRegion } from "@storefront/domain/regions";
import { canonicalQuery } from "../domain/canonical-query.ts";
import type { FacetQuery } from "../domain/facet-query.ts";
import type { CountName } from "../domain/offer-fields.ts";
import { everything } from "../domain/offer-filter.ts";
import { offerOrder } from "../domain/offer-order.ts";
import { countedFields } from "../domain/offer-terms.ts";
import type { OfferAggregations, OfferFilter, OfferHits } from "../engine/offer-search.ts";
import type { SearchEngine } from "../engine/search-engine.ts";

/** Maximum values of each count: the reach of paging. */
const valuesMax = 100_000;

interface Counting {
  readonly aggregations: readonly CountName[];
  /** Default all offers. */
  readonly filter?: OfferFilter;
  /** Limits one of the counts; default none. */
  readonly facetQuery?: FacetQuery | undefined;
}

/** Counts offers by values, without the usual limit of buckets. */
export async function countValues(
  engine: SearchEngine,
  { aggregations, filter = everything, facetQuery }: Counting,
): Promise<OfferHits> {
  return await engine.searchOffers({
    filter,
    order: offerOrder(canonicalQuery()).order,
    region: defaultRegion,
    nowMs: Date.now(),
    offset: 0,
    limit: 0,
    aggregations,
    facetQuery,
    bucketsMax: valuesMax,
  });
}

/** Age at which values are counted again, in milliseconds. */
const freshMs = 30_000;

/** Age up to which values are used while they are counted again, in milliseconds. */
const usableMs = 600_000;

/** Pause after a failed count, in milliseconds: it counts all offers. */
const pauseMs = 5_000;

type Values = Partial<OfferAggregations>;

/**
 * The values of each facet, most frequent first. The first call 30 s after a count starts another one; only calls
 * without values of the last 10 min wait for it.
 */
export class Vocabulary {
  readonly #engine: SearchEngine;
  #known: { at: number; values: Values } | undefined;
  #counting: Promise<Values> | undefined;
  #failure: { at: number; error: unknown } | undefined;

  constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  /** Fails as a search does, also for 5 s after a failed count. */
  async values(): Promise<Values> {
    const now = performance.now();
    const ageMs = now - (this.#known?.at ?? Number.NEGATIVE_INFINITY);
    if (this.#known !== undefined && ageMs <= freshMs) return this.#known.values;
    const isPausing = this.#failure !== undefined && now - this.#failure.at < pauseMs;
    if (!isPausing) this.#counting ??= this.#count(now);
    // Not every call waits for it; the failure is stored.
    this.#counting?.catch(() => undefined);
    if (this.#known !== undefined && ageMs <= usableMs) return this.#known.values;
    if (this.#counting === undefined) throw this.#failure?.error;
    return await this.#counting;
  }

  async #count(at: number): Promise<Values> {
    try {
      const names = [...countedFields.keys()];
      const { aggregations: values } = await countValues(this.#engine, { aggregations: names });
      this.#known = { at, values };
      this.#failure = undefined;
      return values;
    } catch (error) {
      this.#failure = { at: performance.now(), error };
      throw error;
    } finally {
      this.#counting = undefined;
    }
  }
}
