import { unavailable } from "../errors/public-error.ts";

/** Bounds the work under way, so that what is admitted is done in time and the rest is told at once. */
export class Admission {
  /** Most work at a time, in lookups of a single record. */
  readonly costMax: number;
  readonly outcomes = { admitted: 0, refused: 0 };
  #costInFlight = 0;

  constructor(costMax: number) {
    this.costMax = costMax;
  }

  /** Work under way, in the same unit. */
  get costInFlight(): number {
    return this.#costInFlight;
  }

  /**
   * Does work that costs so much. What costs nothing is always done, and so is what costs more than
   * the bound while nothing else is under way.
   *
   * @throws SERVICE_UNAVAILABLE when too much is under way
   */
  async run<Result>(cost: number, work: () => Promise<Result>): Promise<Result> {
    if (cost > 0 && this.#costInFlight > 0 && this.#costInFlight + cost > this.costMax) {
      this.outcomes.refused += 1;
      throw unavailable("Too many requests are under way; try again later.");
    }
    this.outcomes.admitted += 1;
    this.#costInFlight += cost;
    try {
      return await work();
    } finally {
      this.#costInFlight -= cost;
    }
  }
}
