import type { OfferAggregations } from "../engine/offer-search.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { countedFields } from "../domain/offer-terms.ts";
import { countValues } from "./count-values.ts";

/** How long the values are cached, in milliseconds. */
const cachedMs = 30_000;

/** The values that offers have of each facet, most frequent first, as they were up to 30 s ago. */
export class Vocabulary {
  readonly #engine: SearchEngine;
  #cached: { at: number; values: Promise<Partial<OfferAggregations>> } | undefined;

  constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  async values(): Promise<Partial<OfferAggregations>> {
    const now = performance.now();
    if (this.#cached === undefined || now - this.#cached.at > cachedMs) {
      const found = countValues(this.#engine, { aggregations: [...countedFields.keys()] });
      const values = found.then(({ aggregations }) => aggregations);
      this.#cached = { at: now, values };
      // A failure is not cached.
      values.catch(() => (this.#cached = undefined));
    }
    return await this.#cached.values;
  }
}
