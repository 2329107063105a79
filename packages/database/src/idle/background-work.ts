import { AsyncLocalStorage } from "node:async_hooks";

/** The process's, as the flow of a piece of work goes through all parts of it. */
const background = new AsyncLocalStorage<true>();

/** Runs work that nobody asked for, such as a poll or a probe: its statements are no use of a database. */
export function runInBackground<Result>(work: () => Result): Result {
  return background.run(true, work);
}

/** Whether the running code is such work. */
export function isInBackground(): boolean {
  return background.getStore() === true;
}
