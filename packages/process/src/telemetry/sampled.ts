import { setTimeout as sleep } from "node:timers/promises";

/** Longest that a page of metrics waits for a value, in milliseconds: a page is to be sent in 50. */
const patienceMs = 20;

/**
 * Longest while no value is known, in milliseconds, so that a slow read is on the first page too;
 * well within the usual 10 s of a scrape.
 */
const firstPatienceMs = 2000;

/**
 * A value that is read where it is stored, such as a database, each time a page of metrics asks. One
 * that does not come in time is the one read before, so that a page does not wait for what it reports.
 *
 * @returns gives the value; undefined when it could not be read, or not in time for the first page.
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
