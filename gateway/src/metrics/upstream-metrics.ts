import type { ServiceName } from "@storefront/config";
import { reportCounter, reportGauge } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { UpstreamState } from "../upstream/guarded-transport.ts";

/** Reports how the calls to the services stand. */
export function reportUpstreams(
  metrics: Metrics,
  upstreams: Readonly<Record<ServiceName, UpstreamState>>,
): void {
  const states = Object.entries(upstreams);
  reportGauge(
    metrics,
    {
      name: "upstream_calls_in_flight",
      help: "Unary calls to the service, those that wait for a connection among them.",
      labelNames: ["upstream"],
    },
    () => states.map(([upstream, { callCount }]) => [{ upstream }, callCount]),
  );
  reportGauge(
    metrics,
    {
      name: "upstream_breaker_open",
      help: "1 while calls to the service fail at once because it is down.",
      labelNames: ["upstream"],
    },
    () => states.map(([upstream, { isBroken }]) => [{ upstream }, isBroken ? 1 : 0]),
  );
  reportCounter(
    metrics,
    {
      name: "upstream_refused_calls_total",
      help: "Calls that were not made: too many were under way, or the service is down.",
      labelNames: ["upstream", "reason"],
    },
    () =>
      states.flatMap(([upstream, { refused }]) =>
        Object.entries(refused).map(([reason, count]) => [{ upstream, reason }, count] as const),
      ),
  );
}
