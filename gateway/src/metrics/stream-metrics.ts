import { reportCounter, reportGauge } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { OpenStreams } from "../rest/open-streams.ts";

/** Reports the streams of events. */
export function reportStreams(metrics: Metrics, streams: OpenStreams, streamsMax: number): void {
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
}
