/** Keeps the numbers with the highest scores, of any number that are offered. */
export class BestNumbers {
  readonly #limit: number;
  /** Sorted now and then: what is not better than the last of the best is never kept. */
  readonly #kept: { number: number; score: number }[] = [];
  #floor = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A score that is no number is passed over. */
  offer(number: number, score: number): void {
    if (!(score > this.#floor)) return;
    this.#kept.push({ number, score });
    if (this.#kept.length >= this.#limit * 2) this.#cut();
  }

  /** Best first; of equal ones the lower number. */
  inOrder(): Int32Array<ArrayBuffer> {
    this.#cut();
    return Int32Array.from(this.#kept, ({ number }) => number);
  }

  #cut(): void {
    this.#kept.sort((a, b) => b.score - a.score || a.number - b.number);
    this.#kept.length = Math.min(this.#kept.length, this.#limit);
    if (this.#kept.length === this.#limit) this.#floor = this.#kept.at(-1)?.score ?? -Infinity;
  }
}
