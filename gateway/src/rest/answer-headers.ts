import type { EndpointHeaders } from "../http/prepared-answer.ts";
import type { RequestContext, UpstreamCall } from "../upstream/request-context.ts";
import { retryAfterSeconds } from "../errors/public-error.ts";
import type { Endpoint } from "./endpoint.ts";

/** How long clients and proxies may keep an answer. */
function cacheControlOf(endpoint: Endpoint, status: number, ctx: RequestContext): string {
  if (status !== 200 || !endpoint.storable || ctx.degraded.size > 0) return "no-store";
  if (endpoint.method === "POST") return forRead;
  return ctx.countryFromCookie ? forClient : forAnyone;
}

const forRead = "no-cache";
const forClient = "private, max-age=60";
const forAnyone = "public, max-age=60, stale-while-revalidate=300";

/** Headers of the answers of an endpoint that are kept; see `answerHeaders`. */
export function keptHeaders(endpoint: Endpoint, variesByOrigin: boolean): EndpointHeaders {
  const vary = varyHeader(endpoint, variesByOrigin);
  if (endpoint.method === "POST") {
    const headers = ["Cache-Control", forRead, ...vary];
    return { shared: headers, private: headers };
  }
  return {
    shared: ["Cache-Control", forAnyone, ...vary],
    private: ["Cache-Control", forClient, ...vary],
  };
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
  const cacheControl = cacheControlOf(endpoint, status, ctx);
  const headers = ["Cache-Control", cacheControl, ...varyHeader(endpoint, variesByOrigin)];
  if (status === 503) headers.push("Retry-After", String(retryAfterSeconds));
  return [...headers, ...contextHeaders(ctx)];
}

function varyHeader({ takesCountry }: Endpoint, variesByOrigin: boolean): string[] {
  const vary = ["Accept-Encoding"];
  if (takesCountry) vary.push("Cookie");
  if (variesByOrigin) vary.push("Origin");
  return ["Vary", vary.join(", ")];
}

function serverTiming(calls: readonly UpstreamCall[]): string {
  return calls.map(({ name, durationMs }) => `${name};dur=${durationMs.toFixed(1)}`).join(", ");
}
