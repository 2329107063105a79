/** Headers of answers, for `components.headers`. */
export const headerComponents = {
  ETag: {
    description:
      "Strong tag of these bytes, one per content coding. Sent back as `If-None-Match`, it makes the answer 304 without a body while it is still the same.",
    schema: { type: "string" },
    example: '"q2X9vLk1n0c3dQ0W6fZ4m8a1Yh4"',
  },
  CacheControl: {
    description:
      "How long the answer may be kept: reads for a minute, by clients only where the country came from the cookie; degraded answers and errors not at all.",
    schema: { type: "string" },
    example: "public, max-age=60, stale-while-revalidate=300",
  },
  Vary: {
    description: "Headers of the request that the answer depends on.",
    schema: { type: "string" },
    example: "Accept-Encoding, Cookie",
  },
  Age: {
    description: "Seconds since the answer was made, when the gateway had kept it.",
    schema: { type: "integer", minimum: 0 },
    example: 12,
  },
  RequestId: {
    description:
      "Id of the request in the logs: the one sent as `X-Request-Id`, when that is 1 to 128 visible ASCII characters, else a new one.",
    schema: { type: "string" },
    example: "0f8fad5b-d9cb-469f-a165-70867728950e",
  },
  ServerTiming: {
    description:
      "Methods called for the answer, slowest first, at most 16: the milliseconds of the longest call of each, and how many there were if not one; absent when none was made.",
    schema: { type: "string" },
    example: "catalog.BatchGetOffers;dur=3.1, pricing.BatchGetPrices;dur=2.4",
  },
  CatalogDegraded: {
    description:
      "Services whose part is missing from the answer because they failed or were too slow; absent when it is whole.",
    schema: { type: "string" },
    example: "pricing",
  },
  RetryAfter: {
    description: "With 429 and 503: seconds after which it may be tried again.",
    schema: { type: "integer", minimum: 0 },
    example: 1,
  },
  RateLimit: {
    description:
      "Requests that are left (`r`) and seconds until all are there again (`t`), where the gateway has a limit; see `RateLimit-Policy`. What is refused with 429 costs nothing.",
    schema: { type: "string" },
    example: '"address";r=59;t=42',
  },
  RateLimitPolicy: {
    description:
      "The limit and its window in seconds, where the gateway has one: of the client's address, or of its key by name.",
    schema: { type: "string" },
    example: '"address";q=60;w=60',
  },
  CatalogCursor: {
    description: "Of a snapshot: the cursor that `/snapshot/changes` goes on after.",
    schema: { type: "string" },
    example: "2s-1j2k8l9m0n.1c-1j2k8l9m1p.0-.2t-1j2k8l9m2q",
  },
  LastModified: {
    description: "When the file was begun to be made.",
    schema: { type: "string" },
    example: "Mon, 23 Nov 2026 08:00:00 GMT",
  },
  ReprDigest: {
    description: "SHA-256 of the whole file (RFC 9530), also where a part of it is sent.",
    schema: { type: "string" },
    example: "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
  },
  ContentRange: {
    description: "The bytes that are sent, and how many the file has; with 416 the latter alone.",
    schema: { type: "string" },
    example: "bytes 1048576-2097151/2097152",
  },
  AcceptRanges: {
    description: "Parts of the file are asked for by `Range`, in bytes.",
    schema: { type: "string" },
    example: "bytes",
  },
  Deprecation: {
    description:
      "Of a deprecated operation: since when, in seconds since 1970 (RFC 9745); its description names what to call instead.",
    schema: { type: "string" },
    example: "@1795219200",
  },
  Sunset: {
    description:
      "Of a deprecated operation: from when on it may no longer answer (RFC 8594); absent while that is undecided.",
    schema: { type: "string" },
    example: "Sat, 01 Jan 2028 00:00:00 GMT",
  },
} as const;

const referTo = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });

const everyAnswer = {
  "X-Request-Id": referTo("RequestId"),
  "Cache-Control": referTo("CacheControl"),
  RateLimit: referTo("RateLimit"),
  "RateLimit-Policy": referTo("RateLimitPolicy"),
};

/** Headers of a stream, which has no end that a tag could be made of. */
export const streamHeaders = {
  ...everyAnswer,
  Vary: referTo("Vary"),
  "Server-Timing": referTo("ServerTiming"),
};

/** Headers of a file, whose parts have status 206. */
export const downloadHeaders = {
  ...everyAnswer,
  ETag: referTo("ETag"),
  "Last-Modified": referTo("LastModified"),
  "Accept-Ranges": referTo("AcceptRanges"),
  "Catalog-Cursor": referTo("CatalogCursor"),
  "Repr-Digest": referTo("ReprDigest"),
};

/** Headers of a part of a file. */
export const partHeaders = { ...downloadHeaders, "Content-Range": referTo("ContentRange") };

/** Headers of the refusal of a part that the file does not have. */
export const noPartHeaders = { ...everyAnswer, "Content-Range": referTo("ContentRange") };

/** Headers of an answer with status 200. */
export const successHeaders = {
  ...everyAnswer,
  ETag: referTo("ETag"),
  Vary: referTo("Vary"),
  Age: referTo("Age"),
  "Server-Timing": referTo("ServerTiming"),
  "Catalog-Degraded": referTo("CatalogDegraded"),
};

/** Headers of all answers of a deprecated operation, beside the others. */
export const deprecatedHeaders = {
  Deprecation: referTo("Deprecation"),
  Sunset: referTo("Sunset"),
};

/** Headers of a failure. */
export const refusalHeaders = everyAnswer;

/** Headers of a failure that passes. */
export const passingHeaders = { ...everyAnswer, "Retry-After": referTo("RetryAfter") };

/** Headers of an answer with status 503. */
export const unavailableHeaders = { ...streamHeaders, "Retry-After": referTo("RetryAfter") };
