import { median } from "../median.ts";
import { measureOutage } from "../outage/measure-outage.ts";
import type { Outage } from "../outage/measure-outage.ts";
import { limitRow, rounded } from "../row.ts";
import type { Row } from "../row.ts";

const returnLimitSeconds = 2;

/** Row 14: cached responses while a service that they depend on is unavailable. */
export function dependencyAway(): Row[] {
  let outage: Promise<Outage> | undefined;
  const measured = (report: (progress: string) => void) => (outage ??= measureOutage(report));
  return [
    {
      number: 14,
      goal: 1,
      case: "answers with the prices that they had while pricing is stopped, hung and back, at 500 GETs/s; peer: all answers",
      async measure(report) {
        const { unavailable } = await measured(report);
        const ours = sum(unavailable.map(({ whole }) => whole));
        const peer = sum(unavailable.map(({ asked }) => asked));
        // Not rounded: one response in ten thousand counts.
        return { ours, peer, ratio: ours / peer };
      },
    },
    {
      number: 14,
      goal: 2,
      goalIs: "at most",
      case: "p99 of these answers in ms, in the worst of the three; peer: while pricing is there",
      async measure(report) {
        const { quiet, unavailable } = await measured(report);
        const ours = Math.max(...unavailable.map(({ p99Ms }) => p99Ms));
        const peer = median(quiet.map(({ p99Ms }) => p99Ms));
        return { ours, peer, ratio: rounded(ours / peer) };
      },
    },
    limitRow({
      number: 14,
      case: `seconds from its return to an answer with a price that was written meanwhile; peer: the limit, ${returnLimitSeconds} s`,
      limit: returnLimitSeconds,
      measure: async (report) => (await measured(report)).returnSeconds,
    }),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
