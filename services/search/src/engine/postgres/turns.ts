import { setImmediate } from "node:timers/promises";

/** Long work in memory that lets others have their turn after so many steps. */
export class Turns {
  readonly #stepsAtOnce: number;
  #steps = 0;

  constructor(stepsAtOnce: number) {
    this.#stepsAtOnce = stepsAtOnce;
  }

  /** Notes steps that were done; to be awaited when it is time for others. */
  after(steps: number): Promise<void> | undefined {
    this.#steps += steps;
    if (this.#steps < this.#stepsAtOnce) return undefined;
    this.#steps = 0;
    return setImmediate();
  }
}
