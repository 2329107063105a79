import type { UpstreamCall } from "./call-scope.ts";

// Common proxies take 4 to 8 KiB for all headers of an answer. A method has some 50 bytes.
const methodsMax = 16;

/**
 * The value of `Server-Timing` (https://www.w3.org/TR/server-timing/): a line for each method that was
 * called, with its longest call and, if it was called more than once, how often. Of more than 16 methods
 * those whose calls were longest.
 */
export function serverTiming(calls: readonly UpstreamCall[]): string {
  const methods = new Map<string, { longestMs: number; count: number }>();
  for (const { name, durationMs } of calls) {
    const known = methods.get(name);
    methods.set(name, {
      longestMs: Math.max(durationMs, known?.longestMs ?? 0),
      count: (known?.count ?? 0) + 1,
    });
  }
  return [...methods]
    .toSorted(([, a], [, b]) => b.longestMs - a.longestMs)
    .slice(0, methodsMax)
    .map(([name, { longestMs, count }]) => {
      const timing = `${name};dur=${longestMs.toFixed(1)}`;
      return count === 1 ? timing : `${timing};desc="${count} calls"`;
    })
    .join(", ");
}
