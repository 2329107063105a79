import { setImmediate } from "node:timers/promises";

/** Makes long work in memory yield after a number of steps. */
export class Turns {
  readonly #stepsPerTurn: number;
  #steps = 0;

  constructor(stepsPerTurn: number) {
    this.#stepsPerTurn = stepsPerTurn;
  }

  /** Counts steps; returns a promise to await when it is time to yield. */
  after(steps: number): Promise<void> | undefined {
    this.#steps += steps;
    if (this.#steps < this.#stepsPerTurn) return undefined;
    this.#steps = 0;
    return setImmediate();
  }
}
