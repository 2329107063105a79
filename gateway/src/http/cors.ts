/** Headers that scripts of other origins may read. */
const exposed =
  "Accept-Ranges, Age, Catalog-Cursor, Catalog-Degraded, Content-Range, Deprecation, ETag, Link, RateLimit, RateLimit-Policy, Repr-Digest, Retry-After, Server-Timing, Sunset, X-Request-Id";

const anyOrigin = ["Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", exposed];

export interface CorsPolicy {
  /** Headers of every response to a request of the origin: names and values in turn. */
  headersFor(origin: string | undefined): string[];
  variesByOrigin: boolean;
}

/** Any origin without credentials; with a list, the listed origins with credentials. */
export function createCorsPolicy(origins: readonly string[]): CorsPolicy {
  if (origins.length === 0) return { headersFor: () => anyOrigin, variesByOrigin: false };
  const allowed = new Set(origins);
  return {
    headersFor(origin) {
      if (origin === undefined || !allowed.has(origin)) return [];
      return [
        "Access-Control-Allow-Origin",
        origin,
        "Access-Control-Allow-Credentials",
        "true",
        "Access-Control-Expose-Headers",
        exposed,
      ];
    },
    variesByOrigin: true,
  };
}

/** Headers of the response to a preflight, beside those of every response. */
export function preflightHeaders(allow: string, requestedHeaders: string | undefined): string[] {
  return [
    "Access-Control-Allow-Methods",
    allow,
    "Access-Control-Allow-Headers",
    requestedHeaders ?? "Content-Type, If-None-Match, X-Request-Id, traceparent",
    "Access-Control-Max-Age",
    // Seconds for which a browser may cache this response.
    "600",
  ];
}
