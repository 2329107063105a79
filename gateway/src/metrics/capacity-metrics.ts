import { reportCounter, reportGauge } from "@storefront/process";
import type { Metrics, ServiceName } from "@storefront/process";
import type { HttpServer } from "../http/http-server.ts";
import type { LogHub } from "../log-hub/log-hub.ts";
import type { OpenResponses } from "../rest/open-responses.ts";
import type { Admission } from "../upstream/admission.ts";
import type { UpstreamState } from "../upstream/guarded-transport.ts";

/** The parts of a gateway that bound what it does at a time. */
export interface BoundedParts {
  server: Pick<HttpServer, "inFlightCount" | "refusedConnectionCount">;
  admission: Admission;
  upstreams: Readonly<Record<ServiceName, UpstreamState>>;
  streams: OpenResponses;
  streamsMax: number;
  hubs: readonly LogHub[];
}

/** Reports what is in progress, and what was refused because of a limit. */
export function reportCapacity(metrics: Metrics, parts: BoundedParts): void {
  const { server, admission, streams, hubs } = parts;
  const upstreams = Object.entries(parts.upstreams);

  const gauge = (name: string, help: string, read: () => number) =>
    reportGauge(metrics, { name, help }, () => [[{}, read()]]);
  const upstreamGauge = (name: string, help: string, read: (state: UpstreamState) => number) =>
    reportGauge(metrics, { name, help, labelNames: ["upstream"] }, () =>
      upstreams.map(([upstream, state]) => [{ upstream }, read(state)]),
    );
  const outcomeCounter = (name: string, help: string, counts: Readonly<Record<string, number>>) =>
    reportCounter(metrics, { name, help, labelNames: ["outcome"] }, () =>
      Object.entries(counts).map(([outcome, count]) => [{ outcome }, count]),
    );

  gauge(
    "http_server_requests_in_flight",
    "Requests in progress, streams of events among them.",
    () => server.inFlightCount,
  );
  reportCounter(
    metrics,
    {
      name: "http_server_refused_connections_total",
      help: "Connections that were closed because there were too many.",
    },
    () => [[{}, server.refusedConnectionCount]],
  );

  gauge(
    "work_in_flight",
    "Work in progress, in lookups of a single record.",
    () => admission.costInFlight,
  );
  gauge("work_in_flight_max", "Work that may be in progress.", () => admission.costMax);
  outcomeCounter(
    "work_admissions_total",
    "Operations without a stored response: admitted, or refused because too much work was in progress.",
    admission.outcomes,
  );

  upstreamGauge(
    "upstream_calls_in_flight",
    "Unary calls to the service, those that wait for a connection among them.",
    ({ callCount }) => callCount,
  );
  upstreamGauge(
    "upstream_breaker_open",
    "1 while calls to the service fail at once because it is down.",
    ({ isBroken }) => (isBroken ? 1 : 0),
  );
  reportCounter(
    metrics,
    {
      name: "upstream_refused_calls_total",
      help: "Calls that were not made: too many were in progress, or the service is down.",
      labelNames: ["upstream", "reason"],
    },
    () =>
      upstreams.flatMap(([upstream, { refused }]) =>
        Object.entries(refused).map(([reason, count]) => [{ upstream, reason }, count] as const),
      ),
  );

  gauge("event_streams_open", "Streams of events that are open.", () => streams.count);
  gauge("event_streams_max", "Streams of events that may be open.", () => parts.streamsMax);
  outcomeCounter(
    "event_streams_total",
    "Requests for a stream of events: opened, or refused because all streams, or all of the address, are open.",
    streams.outcomes,
  );
  reportCounter(
    metrics,
    {
      name: "event_stream_starts_total",
      help: "Streams of events by what they began with: new events, memory, or the list of the service whose log it is.",
      labelNames: ["from"],
    },
    () =>
      (["now", "memory", "list"] as const).map((from) => [
        { from },
        hubs.reduce((sum, hub) => sum + hub.starts[from], 0),
      ]),
  );
  gauge("event_stream_memory_bytes", "Events in memory for streams.", () =>
    hubs.reduce((sum, hub) => sum + hub.sizeBytes, 0),
  );
}
