import { setTimeout as sleep } from "node:timers/promises";

/** Longest that a page of metrics waits for a value, in milliseconds: a page is to answer in 50. */
const patienceMs = 20;

/**
 * A value that is read where it is kept, such as a database, each time a page of metrics asks. One
 * that does not come in time is the one read before, so that a page never waits for what it reports.
 *
 * @returns gives the value; undefined before the first, and when it could not be read.
 */
export function sampled<Value>(read: () => Promise<Value>): () => Promise<Value | undefined> {
  let known: Value | undefined;
  let reading: Promise<void> | undefined;
  return async () => {
    reading ??= read()
      // That what it comes from is away is told by that one's own metrics.
      .then(
        (value) => (known = value),
        () => (known = undefined),
      )
      .then(() => (reading = undefined));
    await Promise.race([reading, sleep(patienceMs, undefined, { ref: false })]);
    return known;
  };
}
