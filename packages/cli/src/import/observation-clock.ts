/**
 * Tells the time of reading for observations that do not say when they were made: the clock's
 * milliseconds, strictly increasing for each record.
 *
 * @param nowMs the clock; it may go back, the told times do not.
 */
export function createObservationClock(nowMs: () => number): (identity: string) => number {
  let lastMs = 0;
  // Only the records of the present millisecond need telling apart, so that memory stays bounded.
  const readInLastMs = new Set<string>();
  return (identity) => {
    const timeMs = Math.max(nowMs(), readInLastMs.has(identity) ? lastMs + 1 : lastMs);
    if (timeMs > lastMs) readInLastMs.clear();
    readInLastMs.add(identity);
    lastMs = timeMs;
    return timeMs;
  };
}
