import type { Exchange } from "./exchange.ts";

interface Slot {
  readonly exchange: Exchange;
  index: number;
}

/**
 * The exchanges in progress, in no order. An array in which the last one takes the slot of one that
 * ends. A Set with an insertion and a deletion per request makes new tables all the time, each referenced by the
 * one before: once one of them is old to the garbage collector, all later ones, with their exchanges, stay until
 * the next full collection.
 */
export class InFlight {
  readonly #slots: Slot[] = [];

  get count(): number {
    return this.#slots.length;
  }

  get exchanges(): Exchange[] {
    return this.#slots.map(({ exchange }) => exchange);
  }

  /** Adds an exchange; the returned function, called once, removes it. */
  enter(exchange: Exchange): () => void {
    const slot = { exchange, index: this.#slots.length };
    this.#slots.push(slot);
    return () => {
      const last = this.#slots.pop();
      if (last === undefined || last === slot) return;
      last.index = slot.index;
      this.#slots[slot.index] = last;
    };
  }
}
