import { retryAfterSeconds } from "../errors/public-error.ts";
import type { EndpointHeaders } from "../http/representations.ts";
import { contextHeaders } from "../upstream/context-headers.ts";
import type { RequestContext } from "../upstream/request-context.ts";
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
/** For caches that are purged when something is written: a day. */
const forPurged = `${forAnyone}, s-maxage=86400`;

/** Headers of the answers of an endpoint that are kept; see `answerHeaders`. */
export function keptHeaders(endpoint: Endpoint, variesByOrigin: boolean): EndpointHeaders {
  const own = ownHeaders(endpoint, variesByOrigin);
  const { contentType } = endpoint;
  if (endpoint.method === "POST") {
    const headers = ["Cache-Control", forRead, ...own];
    return { shared: headers, private: headers, contentType };
  }
  return {
    contentType,
    shared: ["Cache-Control", forAnyone, ...own],
    private: ["Cache-Control", forClient, ...own],
    purged: ["Cache-Control", forPurged, ...own],
  };
}

/** Headers of an operation's answers. */
export interface OperationHeaders {
  /** As `keptHeaders`. */
  kept: EndpointHeaders;
  /** As `answerHeaders`. */
  made: (status: number, ctx: RequestContext) => string[];
}

/** Headers of answers by the operation that an endpoint stands for. */
export function headersByOperation(
  endpoints: readonly Endpoint[],
  variesByOrigin: boolean,
): (operation: string) => OperationHeaders {
  const known = new Map<string, OperationHeaders>();
  for (const endpoint of endpoints) {
    known.set(endpoint.operation, {
      kept: keptHeaders(endpoint, variesByOrigin),
      made: (status, ctx) => answerHeaders(endpoint, status, ctx, variesByOrigin),
    });
  }
  return (operation) => {
    const headers = known.get(operation);
    if (headers === undefined) throw new Error(`${operation} has no endpoint`);
    return headers;
  };
}

/** Headers of an endpoint's answer. */
export function answerHeaders(
  endpoint: Endpoint,
  status: number,
  ctx: RequestContext,
  variesByOrigin: boolean,
): string[] {
  const cacheControl = cacheControlOf(endpoint, status, ctx);
  const headers = ["Cache-Control", cacheControl, ...ownHeaders(endpoint, variesByOrigin)];
  if (status === 503) headers.push("Retry-After", String(retryAfterSeconds));
  return [...headers, ...contextHeaders(ctx)];
}

// What does not depend on the answer.
function ownHeaders(
  { takesCountry, deprecationHeaders = [] }: Endpoint,
  variesByOrigin: boolean,
): string[] {
  const vary = ["Accept-Encoding"];
  if (takesCountry) vary.push("Cookie");
  if (variesByOrigin) vary.push("Origin");
  return ["Vary", vary.join(", "), ...deprecationHeaders];
}
