import { startAlertmanager, startPrometheus } from "@storefront/testkit";
import { readFileSync } from "node:fs";
import { stringify } from "yaml";
import { AlertWatch } from "./alert-watch.ts";
import { compressDuration, compressRules } from "./compress-time.ts";
import { startReceiver } from "./start-receiver.ts";
import type { Receiver } from "./start-receiver.ts";

/** A Prometheus with the shipped rules, an Alertmanager with the shipped route, and the receiver of its alerts. */
export interface Monitoring {
  readonly watch: AlertWatch;
  readonly receiver: Receiver;
  close(): Promise<void>;
}

/** An hour in a minute. Samples come each second: ten of them make a rate. */
const compression = { factor: 60, leastMs: 1000, leastRangeMs: 10_000 };

/** Base URL of the runbooks, for this Prometheus. */
export const runbooks = "https://git.example/storefront/blob/main/";

/** Starts them for processes that serve metrics at these addresses. */
export async function startMonitoring(metricsAddresses: readonly string[]): Promise<Monitoring> {
  await using started = new AsyncDisposableStack();
  const receiver = started.adopt(await startReceiver(), (used) => used.stop());
  const route = shipped("alertmanager/alertmanager.yaml")
    .replaceAll(
      /\b(group_wait|group_interval|repeat_interval): (\w+)/g,
      (_whole, name, duration) => {
        return `${name}: ${compressDuration(duration, compression)}`;
      },
    )
    .replaceAll(/http:\/\/\w+\.example\//g, `${receiver.url}/`);
  const alertmanager = started.adopt(await startAlertmanager(route), (used) => used.stop());
  const prometheus = started.adopt(
    await startPrometheus({
      "prometheus.yaml": stringify({
        global: {
          scrape_interval: "1s",
          evaluation_interval: "1s",
          external_labels: { runbooks },
        },
        rule_files: ["recording-rules.yaml", "alerting-rules.yaml"],
        alerting: {
          alert_relabel_configs: [{ action: "labeldrop", regex: "runbooks" }],
          alertmanagers: [{ static_configs: [{ targets: [new URL(alertmanager.url).host] }] }],
        },
        scrape_configs: [
          { job_name: "storefront", static_configs: [{ targets: [...metricsAddresses] }] },
        ],
      }),
      "recording-rules.yaml": compressRules(
        shipped("prometheus/recording-rules.yaml"),
        compression,
      ),
      "alerting-rules.yaml": compressRules(shipped("prometheus/alerting-rules.yaml"), compression),
    }),
    (used) => used.stop(),
  );
  const resources = started.move();
  return {
    watch: new AlertWatch(prometheus.url),
    receiver,
    close: () => resources.disposeAsync(),
  };
}

/** A file of `deploy/monitoring`. */
function shipped(path: string): string {
  return readFileSync(new URL(`../../../../deploy/monitoring/${path}`, import.meta.url), "utf8");
}
