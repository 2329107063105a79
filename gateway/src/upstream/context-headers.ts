import type { UpstreamCall } from "./call-scope.ts";
import type { RequestContext } from "./request-context.ts";

// Common proxies accept 4 to 8 KiB for all headers of a response. A method has some 50 bytes.
const methodsMax = 16;

/** Headers that say how a response was made: names and values in turn. */
export function contextHeaders({ upstreamCalls, degraded }: RequestContext): string[] {
  const headers: string[] = [];
  if (upstreamCalls.length > 0) headers.push("Server-Timing", serverTiming(upstreamCalls));
  if (degraded.size > 0) headers.push("Catalog-Degraded", [...degraded].join(", "));
  return headers;
}

/**
 * The value of `Server-Timing` (https://www.w3.org/TR/server-timing/): for each method its longest call and, if there
 * were several, their number. Of more than 16 methods those whose calls were longest.
 */
export function serverTiming(calls: readonly UpstreamCall[]): string {
  const methods = new Map<string, { longestMs: number; count: number }>();
  for (const { name, durationMs } of calls) {
    const { longestMs, count } = methods.get(name) ?? { longestMs: 0, count: 0 };
    methods.set(name, { longestMs: Math.max(durationMs, longestMs), count: count + 1 });
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
