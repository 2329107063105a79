import { reportCounter, reportGauge } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type { Admission } from "../upstream/admission.ts";

/** Reports the work that is admitted. */
export function reportAdmission(metrics: Metrics, admission: Admission): void {
  reportGauge(
    metrics,
    { name: "work_in_flight", help: "Work under way, in lookups of a single record." },
    () => [[{}, admission.costInFlight]],
  );
  reportGauge(metrics, { name: "work_in_flight_max", help: "Work that may be under way." }, () => [
    [{}, admission.costMax],
  ]);
  reportCounter(
    metrics,
    {
      name: "work_admissions_total",
      help: "Operations that no kept answer was there for: admitted, or refused because too much work was under way.",
      labelNames: ["outcome"],
    },
    () => Object.entries(admission.outcomes).map(([outcome, count]) => [{ outcome }, count]),
  );
}
