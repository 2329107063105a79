import { isDeepStrictEqual } from "node:util";
import type { LoadReport } from "./under-load.ts";

/** What is expected: nothing failed or was lost. */
export const noLosses: Losses = {
  failures: {},
  unlogged: [],
  missed: [],
  repeated: [],
  undelivered: [],
  unavailable: [],
  isFollowed: true,
};

/** What a load must not end with. */
export type Losses = Pick<
  LoadReport,
  "failures" | "unlogged" | "missed" | "repeated" | "undelivered" | "unavailable"
> & {
  /** Whether changes were followed at all. */
  isFollowed: boolean;
};

/** Seconds in which a database restarts. */
export interface Outage {
  from: Date;
  to: Date;
}

/**
 * What must not be, to be compared with `noLosses`; the figures are printed.
 *
 * @param outage when responses may say that a part is unavailable; default never
 */
export function lossesOf(name: string, report: LoadReport, outage?: Outage): Losses {
  const { succeeded, entries, connections, degraded, seconds } = report;
  const { failures, unlogged, missed, repeated, undelivered } = report;
  const counts = Object.entries(succeeded).map(([kind, count]) => `${count} ${kind}`);
  const rest = `${entries} entries over ${connections} connections, ${degraded} degraded responses`;
  const unavailable = report.unavailable.filter(
    ({ at }) => outage === undefined || new Date(at) < outage.from || new Date(at) > outage.to,
  );
  process.stderr.write(
    `${name}: ${seconds} s, ${counts.join(", ")}; ${rest}, ${report.unavailable.length} unavailable\n`,
  );
  const isFollowed = entries > 50;
  const losses = { failures, unlogged, missed, repeated, undelivered, unavailable, isFollowed };
  // At once, since a test's own report comes at the end of all.
  if (!isDeepStrictEqual(losses, noLosses)) process.stderr.write(`${JSON.stringify(losses)}\n`);
  return losses;
}
