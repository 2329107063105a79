import { setTimeout as sleep } from "node:timers/promises";

/** Longest wait of a page of metrics for a value, in milliseconds: a page should take less than 50. */
const patienceMs = 20;

/**
 * Longest wait while no value is known, in milliseconds, so that a slow read is on the first page too; well
 * within the usual 10 s of a scrape.
 */
const firstPatienceMs = 2000;

/**
 * A value that is read from its source, such as a database, for each page of metrics. When the read is slow the
 * previous value is used, so that a page does not wait for it.
 *
 * @returns a function for the value; undefined when it could not be read, or not in time for the first page.
 */
export function sampled<Value>(read: () => Promise<Value>): () => Promise<Value | undefined> {
  let known: Value | undefined;
  let reading: Promise<void> | undefined;
  return async () => {
    reading ??= read()
      // Its source's own metrics show that it is unavailable.
      .then(
        (value) => (known = value),
        () => (known = undefined),
      )
      .then(() => (reading = undefined));
    const longestMs = known === undefined ? firstPatienceMs : patienceMs;
    await Promise.race([reading, sleep(longestMs, undefined, { ref: false })]);
    return known;
  };
}
