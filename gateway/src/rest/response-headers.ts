import { retryAfterSeconds } from "../errors/public-error.ts";
import type { ResponseHeaders } from "../cache/make-response.ts";
import { contextHeaders } from "../upstream/context-headers.ts";
import type { Endpoint } from "./endpoint.ts";

/** Values of `Cache-Control`. */
const forPost = "no-cache";
const forClient = "private, max-age=60";
const forAnyone = "public, max-age=60, stale-while-revalidate=300";
/** For caches that are purged when something is written: a day. */
const forPurged = `${forAnyone}, s-maxage=86400`;

export function responseHeaders(endpoint: Endpoint, variesByOrigin: boolean): ResponseHeaders {
  const { method, contentType, listed, storable, takesCountry } = endpoint;
  const vary = ["Accept-Encoding"];
  if (takesCountry) vary.push("Cookie");
  if (variesByOrigin) vary.push("Origin");
  const fixed = ["Vary", vary.join(", "), ...deprecationHeadersOf(endpoint)];
  const cached = (cacheControl: string) => ["Cache-Control", cacheControl, ...fixed];
  const isRead = method === "GET";
  const shared = cached(isRead ? forAnyone : forPost);
  const own = isRead ? cached(forClient) : shared;
  return {
    stored: isRead
      ? { contentType, listed, shared, private: own, purged: cached(forPurged) }
      : { contentType, shared },
    unstored(status, ctx) {
      const mayStore = status === 200 && storable === true && ctx.degraded.size === 0;
      const ofAudience = ctx.countryFromCookie ? own : shared;
      const retry = status === 503 ? ["Retry-After", String(retryAfterSeconds)] : [];
      return [...(mayStore ? ofAudience : cached("no-store")), ...retry, ...contextHeaders(ctx)];
    },
  };
}

export function responseHeadersByOperation(
  endpoints: readonly Endpoint[],
  variesByOrigin: boolean,
): (operation: string) => ResponseHeaders {
  const known = new Map(
    endpoints.map((endpoint) => [endpoint.operation, responseHeaders(endpoint, variesByOrigin)]),
  );
  return (operation) => {
    const headers = known.get(operation);
    if (headers === undefined) throw new Error(`${operation} has no endpoint`);
    return headers;
  };
}

/**
 * `Deprecation` by RFC 9745, a date of structured fields, `Sunset` by RFC 8594, a date of HTTP, and a `Link` by RFC 5829.
 */
export function deprecationHeadersOf({ deprecated }: Pick<Endpoint, "deprecated">): string[] {
  if (deprecated === undefined) return [];
  const { since, sunset, successor } = deprecated;
  const headers = ["Deprecation", `@${Math.floor(Date.parse(since) / 1000)}`];
  if (sunset !== undefined) headers.push("Sunset", new Date(sunset).toUTCString());
  if (successor !== undefined) headers.push("Link", `<${successor}>; rel="successor-version"`);
  return headers;
}
