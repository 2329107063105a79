import { publicErrorOf, unavailable } from "../errors/public-error.ts";
import { AdaptiveLimit } from "./adaptive-limit.ts";

/** Bounds concurrent work, so that admitted work is done in time and the rest is refused at once. */
export class Admission {
  readonly outcomes = { admitted: 0, refused: 0 };
  readonly #limit: AdaptiveLimit;
  #costInFlight = 0;

  /** @param costMax most work at a time, however fast it is, in lookups of a single record */
  constructor(costMax: number) {
    this.#limit = new AdaptiveLimit(costMax, performance.now());
  }

  /** Most work at a time at present, in lookups of a single record. */
  get costMax(): number {
    this.#limit.update(performance.now());
    return this.#limit.limit;
  }

  /** Work in progress, in the same unit. */
  get costInFlight(): number {
    return this.#costInFlight;
  }

  /**
   * Does work of an operation. Work without cost is always done, and so is work beyond the bound while there is no other.
   *
   * @throws SERVICE_UNAVAILABLE when there is too much other work
   */
  async run<Result>(operation: string, cost: number, work: () => Promise<Result>): Promise<Result> {
    if (cost === 0) {
      this.outcomes.admitted += 1;
      return await work();
    }
    const startedAtMs = performance.now();
    this.#limit.update(startedAtMs);
    if (this.#costInFlight > 0 && this.#costInFlight + cost > this.#limit.limit) {
      this.outcomes.refused += 1;
      this.#limit.refused();
      throw unavailable("Too many concurrent requests; try again later.");
    }
    this.outcomes.admitted += 1;
    this.#costInFlight += cost;
    this.#limit.begun();
    let hasFailed = false;
    try {
      return await work();
    } catch (error) {
      hasFailed = isFailure(error);
      throw error;
    } finally {
      this.#costInFlight -= cost;
      // A large batch takes longer than a small one in any case.
      this.#limit.ended(`${operation} ${cost}`, performance.now() - startedAtMs, hasFailed);
    }
  }
}

/** Whether work was not done: a defect, a failed service, a deadline, a client that left. A 404 is done work. */
export function isFailure(error: unknown): boolean {
  return publicErrorOf(error).status >= 500;
}
