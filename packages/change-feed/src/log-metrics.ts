import { cachedWhileIdle } from "@storefront/database";
import type { Polling } from "@storefront/database";
import { reportGauge, sampled } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { LogSource } from "./log-source.ts";
import type { LogTail } from "./log-tail.ts";

/** Reports the log of a service and who follows it. One per registry. */
export function reportLog(
  metrics: Metrics,
  polling: Polling,
  source: LogSource,
  tail: LogTail,
): void {
  const extent = sampled(cachedWhileIdle(polling, () => source.extent()));
  reportGauge(
    metrics,
    {
      name: "change_log_entries",
      help: "Entries of the service's change log, at most: sequences have gaps.",
    },
    async () => {
      const known = await extent();
      return known === undefined ? [] : [[{}, Number(known.length)]];
    },
  );
  reportGauge(
    metrics,
    {
      name: "change_log_oldest_entry_age_seconds",
      help: "Age of the oldest entry of the service's change log; 0 while it is empty.",
    },
    async () => {
      const known = await extent();
      if (known === undefined) return [];
      const ageMs = known.oldestAt === undefined ? 0 : Date.now() - known.oldestAt.getTime();
      return [[{}, Math.max(0, ageMs) / 1000]];
    },
  );
  reportGauge(
    metrics,
    {
      name: "change_log_followers",
      help: "Streams of this process that follow the service's change log.",
    },
    () => [[{}, tail.watcherCount]],
  );
}
