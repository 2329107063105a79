import type { RequestContext } from "./request-context.ts";
import { serverTiming } from "./server-timing.ts";

/** Headers that tell how an answer came about: names and values in turn. */
export function contextHeaders({ upstreamCalls, degraded }: RequestContext): string[] {
  const headers: string[] = [];
  if (upstreamCalls.length > 0) headers.push("Server-Timing", serverTiming(upstreamCalls));
  if (degraded.size > 0) headers.push("Catalog-Degraded", [...degraded].join(", "));
  return headers;
}
