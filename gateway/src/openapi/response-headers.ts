/** For `components.headers`. */
export const headerComponents = {
  ETag: header(
    "Strong tag of these bytes, one per content coding. Sent back as `If-None-Match`, it makes the response 304 without a body while nothing has changed.",
    '"q2X9vLk1n0c3dQ0W6fZ4m8a1Yh4"',
  ),
  CacheControl: header(
    "How long the response may be cached (RFC 9111): reads for a minute, `private` where the country is that of the cookie; degraded responses and errors are not stored.",
    "public, max-age=60, stale-while-revalidate=300",
  ),
  Vary: header("Request headers that the response depends on.", "Accept-Encoding, Cookie"),
  Age: header("Age of a cached response in seconds.", 12),
  RequestId: header(
    "Id of the request in the logs: the one sent as `X-Request-Id`, when that is 1 to 128 visible ASCII characters, else a new one.",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
  ),
  ServerTiming: header(
    "Methods called for the response, slowest first, at most 16: the milliseconds of the longest call of each, and the number of calls if more than one; absent without calls.",
    "catalog.BatchGetOffers;dur=3.1, pricing.BatchGetPrices;dur=2.4",
  ),
  CatalogDegraded: header(
    "Services whose part is missing from the response because they failed or were too slow; absent when it is complete.",
    "pricing",
  ),
  RetryAfter: header("With 429 and 503: seconds to wait before a retry.", 1),
  WWWAuthenticate: header("With 401: the kind of token that the request lacks.", "Bearer"),
  RateLimit: header(
    "Remaining requests (`r`) and seconds until all are available again (`t`), where the gateway has a limit; see `RateLimit-Policy`. A refusal with 429 costs nothing.",
    '"address";r=59;t=42',
  ),
  RateLimitPolicy: header(
    "The limit and its window in seconds, where the gateway has one: of the client's address, or of its key by name.",
    '"address";q=60;w=60',
  ),
  CatalogCursor: header(
    "Of a snapshot: the cursor that `/snapshot/changes` continues after.",
    "2s-1j2k8l9m0n.1c-1j2k8l9m1p.0-.2t-1j2k8l9m2q",
  ),
  LastModified: header("When the file was begun.", "Mon, 23 Nov 2026 08:00:00 GMT"),
  ReprDigest: header(
    "SHA-256 of the whole file (RFC 9530), also where a part of it is sent.",
    "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
  ),
  ContentRange: header(
    "The bytes that are sent, and how many the file has; with 416 the latter alone.",
    "bytes 1048576-2097151/2097152",
  ),
  AcceptRanges: header("Parts of the file are asked for by `Range`, in bytes.", "bytes"),
  Deprecation: header(
    "Of a deprecated operation: since when, in seconds since 1970 (RFC 9745); its description names what to call instead.",
    "@1795219200",
  ),
  Sunset: header(
    "Of a deprecated operation: when it may be removed (RFC 8594); absent while that is undecided.",
    "Sat, 01 Jan 2028 00:00:00 GMT",
  ),
  Link: header(
    "Of a deprecated operation: the operations that replace it (RFC 5829), where there are any.",
    '</queries>; rel="successor-version"',
  ),
  WeakETag: header(
    "Weak tag of the response without `meta.ms` and `meta.cached`. Sent back as `If-None-Match`, it makes the response 304 without a body while nothing has changed.",
    'W/"q2X9vLk1n0c3dQ0W6fZ4m8a1Yh4"',
  ),
  NextLink: header(
    "The URL of the next page (RFC 8288), relative to the request's URL; absent at the end.",
    '<?title=moon&cursor=WyJxM1o4dlhQYTkxTHciXQ>; rel="next"',
  ),
};

function header(description: string, example: string | number) {
  const schema = typeof example === "string" ? { type: "string" } : { type: "integer", minimum: 0 };
  return { description, schema, example };
}

/** References to the components of these names, without hyphens and `X-`. */
const referTo = (...names: string[]) =>
  Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name.replaceAll(/^X-|-/g, "")}` }]),
  );

/** Headers of a failure, and of every other response. */
export const refusalHeaders = referTo(
  "X-Request-Id",
  "Cache-Control",
  "RateLimit",
  "RateLimit-Policy",
);

/** Headers of a stream, which has no entity tag. */
export const streamHeaders = { ...refusalHeaders, ...referTo("Vary", "Server-Timing") };

/** Headers of a file, whose parts have status 206. */
export const downloadHeaders = {
  ...refusalHeaders,
  ...referTo("ETag", "Last-Modified", "Accept-Ranges", "Catalog-Cursor", "Repr-Digest"),
};

/** Headers of status 206. */
export const partHeaders = { ...downloadHeaders, ...referTo("Content-Range") };

/** Headers of status 416. */
export const noPartHeaders = { ...refusalHeaders, ...referTo("Content-Range") };

/** Headers of a JSON response with status 200. */
export const successHeaders = {
  ...refusalHeaders,
  ...referTo("ETag", "Vary", "Age", "Server-Timing", "Catalog-Degraded"),
};

/** Headers of a part of a list with status 200. */
export const listedHeaders = {
  ...successHeaders,
  ETag: { $ref: "#/components/headers/WeakETag" },
  Link: { $ref: "#/components/headers/NextLink" },
};

/** Further headers of all responses of a deprecated operation. */
export const deprecatedHeaders = referTo("Deprecation", "Sunset", "Link");

/** Headers of status 401. */
export const challengeHeaders = { ...refusalHeaders, ...referTo("WWW-Authenticate") };

/** Headers of a failure after which a client may retry. */
export const passingHeaders = { ...refusalHeaders, ...referTo("Retry-After") };

/** Headers of a JSON response with status 503. */
export const unavailableHeaders = { ...streamHeaders, ...referTo("Retry-After") };
