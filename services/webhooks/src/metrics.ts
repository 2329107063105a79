import { cachedWhileIdle } from "@storefront/database";
import type { Database } from "@storefront/database";
import { Counter, reportGauge, sampled } from "@storefront/process";
import type { Metrics } from "@storefront/process";

/** How an attempt of a delivery ended: failed is after its last one. */
export type Outcome = "delivered" | "retried" | "failed";

/** Counts attempts, here. One per registry. */
export class DeliveryMetrics {
  readonly #deliveries: Counter<"outcome">;

  constructor(metrics: Metrics) {
    this.#deliveries = new Counter({
      name: "webhooks_deliveries_total",
      help: "Attempts of webhooks by how they ended: delivered, retried, or failed after the last one.",
      labelNames: ["outcome"],
      registers: [metrics],
    });
  }

  count(outcome: Outcome): void {
    this.#deliveries.inc({ outcome });
  }
}

/** The state that all processes share in their database. */
interface State {
  pending: bigint;
  oldestPendingSeconds: number;
  paused: bigint;
  sources: bigint;
  followed: bigint;
}

const readState = `
  select
    (select count(*) from webhooks.delivery where status = 'pending') as pending,
    (select coalesce(extract(epoch from clock_timestamp() - min(d.next_attempt_at)), 0)::float8
     from webhooks.delivery d join webhooks.endpoint e on e.id = d.endpoint_id
     where d.status = 'pending' and d.next_attempt_at <= clock_timestamp()
       and e.is_active and e.failing_since is null
       and not exists (
         select from webhooks.delivery b
         where b.endpoint_id = d.endpoint_id and b.record_key = d.record_key
           and b.status = 'pending' and b.event_id < d.event_id
       )) as "oldestPendingSeconds",
    (select count(*) from webhooks.endpoint where paused_reason is not null) as paused,
    (select count(*) from webhooks.source) as sources,
    (select count(*) from webhooks.source
     where holder is not null and lease_expires_at > clock_timestamp()) as followed`;

/** Reports the queue, the endpoints and the streams; each process reports the same. One per registry. */
export function reportWebhooks(metrics: Metrics, database: Database): void {
  const read = sampled(cachedWhileIdle(database.polling, () => database.readOne<State>(readState)));
  const gauge = (name: string, help: string, valueOf: (state: State) => bigint | number) =>
    reportGauge(metrics, { name, help }, async () => {
      const state = await read();
      return state === undefined ? [] : [[{}, Number(valueOf(state))]];
    });
  gauge(
    "webhooks_pending",
    "Deliveries that have not been sent yet or are retried, those of paused endpoints included.",
    ({ pending }) => pending,
  );
  gauge(
    "webhooks_oldest_pending_seconds",
    "How long the oldest delivery has been due that no retry holds up, of endpoints that are active and do not fail; 0 while none is.",
    ({ oldestPendingSeconds }) => oldestPendingSeconds,
  );
  gauge(
    "webhooks_paused_endpoints",
    "Endpoints that were paused since a delivery failed for good.",
    ({ paused }) => paused,
  );
  gauge(
    "webhooks_sources",
    "Streams of the gateway that endpoints need.",
    ({ sources }) => sources,
  );
  gauge(
    "webhooks_sources_followed",
    "Streams of the gateway that a process follows.",
    ({ followed }) => followed,
  );
}
