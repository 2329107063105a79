import { reportCounter, reportGauge } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { LogHub } from "../log-hub/log-hub.ts";
import type { OpenResponses } from "../rest/open-responses.ts";

const followerStarts = ["now", "memory", "list"] as const;

/** Reports the streams of events. */
export function reportStreams(
  metrics: Metrics,
  streams: OpenResponses,
  streamsMax: number,
  hubs: readonly LogHub[],
): void {
  reportGauge(
    metrics,
    { name: "event_streams_open", help: "Streams of events that are open." },
    () => [[{}, streams.count]],
  );
  reportGauge(
    metrics,
    { name: "event_streams_max", help: "Streams of events that may be open." },
    () => [[{}, streamsMax]],
  );
  reportCounter(
    metrics,
    {
      name: "event_streams_total",
      help: "Streams of events that were asked for: opened, or refused because all places, or all of the address, are taken.",
      labelNames: ["outcome"],
    },
    () => Object.entries(streams.outcomes).map(([outcome, count]) => [{ outcome }, count]),
  );
  reportCounter(
    metrics,
    {
      name: "event_stream_starts_total",
      help: "Streams of events that began: with what is new, from memory, or from the list of the service whose log it is.",
      labelNames: ["from"],
    },
    () =>
      followerStarts.map((from) => [
        { from },
        hubs.reduce((sum, hub) => sum + hub.starts[from], 0),
      ]),
  );
  reportGauge(
    metrics,
    { name: "event_stream_memory_bytes", help: "Events that are remembered for streams." },
    () => [[{}, hubs.reduce((sum, hub) => sum + hub.sizeBytes, 0)]],
  );
}
