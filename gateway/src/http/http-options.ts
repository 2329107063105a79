import { option, processShape, zInteger, zMilliseconds } from "@storefront/process";
import { z } from "zod";

export const zHttp = z.object({
  shutdownTimeoutMs: processShape.shutdownTimeoutMs,
  connectionsMax: option("CONNECTIONS_MAX", zInteger(1, 1_000_000).default(10_000)).describe(
    "Connections of clients at a time; more are closed.",
  ),
  requestTimeoutMs: option("REQUEST_TIMEOUT_MS", zMilliseconds.default(5000)).describe(
    "How long a request may take from when it has arrived; what is left of it is the deadline of the calls to services.",
  ),
  headersTimeoutMs: option("HEADERS_TIMEOUT_MS", zMilliseconds.default(10_000)).describe(
    "How long a request line and its headers may take to arrive.",
  ),
  arrivalTimeoutMs: option("ARRIVAL_TIMEOUT_MS", zMilliseconds.default(30_000)).describe(
    "How long a whole request may take to arrive.",
  ),
  responseTimeoutMs: option("ANSWER_TIMEOUT_MS", zMilliseconds.default(120_000)).describe(
    "How long a client may take for a whole response; for a snapshot a second more for each 64 KiB, for a stream of events any time.",
  ),
  stallTimeoutMs: option("STALL_TIMEOUT_MS", zMilliseconds.default(60_000)).describe(
    "How long a client may read nothing of its response before it is cut off; not shorter than `REQUEST_TIMEOUT_MS`.",
  ),
  keepAliveTimeoutMs: option(
    "KEEP_ALIVE_TIMEOUT_SECONDS",
    zInteger(1, 86_400)
      .transform((seconds) => seconds * 1000)
      .prefault("620"),
  ).describe(
    "How long a connection without a request stays open. Longer than the same time of a balancer in front (up to 600 s), which otherwise sends requests into connections that are closing, and responds with 502.",
  ),
  bodyLimitBytes: option(
    "BODY_LIMIT_BYTES",
    zInteger(1024, 64 * 2 ** 20).default(256 * 1024),
  ).describe("Largest request body."),
});

/** Limits of the public port. */
export type HttpOptions = z.output<typeof zHttp>;

export const httpDefaults = zHttp.parse({});
