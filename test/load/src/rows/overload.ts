import { median } from "../median.ts";
import { measureOverload } from "../overload/measure-overload.ts";
import type { Overload } from "../overload/measure-overload.ts";
import { limitRow, rounded } from "../row.ts";
import type { Row } from "../row.ts";

const recoveryLimitSeconds = 2;

/** Row 15: ten times the searches that a gateway can handle, for a minute. */
export function overload(): Row[] {
  let overloads: Promise<Overload> | undefined;
  const measured = (report: (progress: string) => void) => (overloads ??= measureOverload(report));
  return [
    {
      number: 15,
      goal: 0.9,
      case: "searches answered a second at 10 times the capacity; peer: at the capacity, p99 one at a time",
      async measure(report) {
        const { quiet, peak, beyond } = await measured(report);
        const ours = beyond.givenPerSecond;
        const peer = median(peak.map(({ givenPerSecond }) => givenPerSecond));
        const quietP99Ms = median(quiet.map(({ p99Ms }) => p99Ms));
        const p99Ratio = rounded(beyond.p99Ms / quietP99Ms);
        return { ours, peer, ratio: rounded(ours / peer), p99Ratio };
      },
    },
    {
      number: 15,
      goal: 1.3,
      goalIs: "at most",
      case: "MiB of the gateway meanwhile, at most; peer: before",
      async measure(report) {
        const { before, most } = (await measured(report)).memory;
        return { ours: most, peer: before, ratio: rounded(most / before) };
      },
    },
    limitRow({
      number: 15,
      case: `seconds until a search is as quick as before; peer: the limit, ${recoveryLimitSeconds} s`,
      limit: recoveryLimitSeconds,
      measure: async (report) => (await measured(report)).recoverySeconds,
    }),
  ];
}
