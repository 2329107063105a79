import type { RequestContext, UpstreamCall } from "../context.ts";
import { retryAfterSeconds } from "../errors/public-error.ts";
import type { Endpoint } from "./endpoint.ts";

/** How long clients and proxies may keep an answer. */
export function cacheControlOf(endpoint: Endpoint, status: number, ctx: RequestContext): string {
  if (status !== 200 || !endpoint.storable || ctx.degraded.size > 0) return "no-store";
  if (endpoint.method === "POST") return "no-cache";
  return ctx.countryFromCookie
    ? "private, max-age=60"
    : "public, max-age=60, stale-while-revalidate=300";
}

/** Headers that tell how an answer came about: names and values in turn. */
export function contextHeaders({ upstreamCalls, degraded }: RequestContext): string[] {
  const headers: string[] = [];
  if (upstreamCalls.length > 0) headers.push("Server-Timing", serverTiming(upstreamCalls));
  if (degraded.size > 0) headers.push("Catalog-Degraded", [...degraded].join(", "));
  return headers;
}

/** Headers of an endpoint's answer. */
export function answerHeaders(
  endpoint: Endpoint,
  status: number,
  ctx: RequestContext,
  variesByOrigin: boolean,
): string[] {
  const vary = ["Accept-Encoding"];
  if (endpoint.takesCountry) vary.push("Cookie");
  if (variesByOrigin) vary.push("Origin");
  const headers = ["Cache-Control", cacheControlOf(endpoint, status, ctx), "Vary", vary.join(", ")];
  if (status === 503) headers.push("Retry-After", String(retryAfterSeconds));
  return [...headers, ...contextHeaders(ctx)];
}

function serverTiming(calls: readonly UpstreamCall[]): string {
  return calls.map(({ name, durationMs }) => `${name};dur=${durationMs.toFixed(1)}`).join(", ");
}
