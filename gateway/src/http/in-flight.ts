import type { Exchange } from "./exchange.ts";

interface Place {
  readonly exchange: Exchange;
  index: number;
}

/**
 * The exchanges under way, in no order. An array in which the last one takes the place of one that
 * ends, because a Set that is added to and deleted from for every request keeps making new tables,
 * each held by the one before: once one of them is old to the garbage collector, all that comes
 * after it, with everything that was under way, stays until the next full collection.
 */
export class InFlight {
  readonly #places: Place[] = [];

  get count(): number {
    return this.#places.length;
  }

  get exchanges(): Exchange[] {
    return this.#places.map(({ exchange }) => exchange);
  }

  /** Adds an exchange; what is returned takes it out, and is to be called once. */
  enter(exchange: Exchange): () => void {
    const place = { exchange, index: this.#places.length };
    this.#places.push(place);
    return () => {
      const last = this.#places.pop();
      if (last === undefined || last === place) return;
      last.index = place.index;
      this.#places[place.index] = last;
    };
  }
}
