import { option, zInteger, zMilliseconds } from "@storefront/process";
import { z } from "zod";

/** When a service counts as down, and for how long. */
export const zBreaker = z.object({
  failuresMax: option("BREAKER_FAILURES_MAX", zInteger(1, 10_000).default(10)).describe(
    "Calls in a row that find a service down before calls to it fail at once.",
  ),
  pauseMs: option("BREAKER_PAUSE_MS", zMilliseconds.default(1000)).describe(
    "How long they do before one call tries again.",
  ),
});

export type BreakerOptions = z.output<typeof zBreaker>;

export const zUpstream = z.object({
  upstreamConnectionsMax: option(
    "UPSTREAM_CONNECTIONS_MAX",
    zInteger(1, 10_000).default(64),
  ).describe("Connections to each service at a time; each carries one call, more calls wait."),
  upstreamQueueMax: option("UPSTREAM_QUEUE_MAX", zInteger(0, 100_000).default(512)).describe(
    "Calls to each service that may wait for a connection; more are refused with 503 at once.",
  ),
  streamsMax: option("STREAMS_MAX", zInteger(0, 100_000).default(1000)).describe(
    "Clients that may follow the changelog at a time; more are refused with 503.",
  ),
});

/** How services are called. */
export interface UpstreamOptions extends z.output<typeof zUpstream> {
  breaker: BreakerOptions;
}

export const upstreamDefaults: UpstreamOptions = {
  ...zUpstream.parse({}),
  breaker: zBreaker.parse({}),
};
