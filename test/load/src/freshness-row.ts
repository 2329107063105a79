import { percentile } from "./percentile.ts";
import { startPostgresStack } from "./postgres-stack.ts";
import type { PostgresStack } from "./postgres-stack.ts";
import { rounded } from "./row.ts";
import type { Row } from "./row.ts";

/** How long after their commit writes are seen, in milliseconds. */
export interface Freshness {
  medianMs: number;
  p99Ms: number;
}

/** A row that measures freshness, whose peer is a limit. */
export interface FreshnessRow extends Pick<Row, "number" | "case"> {
  /** Limit of the 99th percentile, in milliseconds. */
  limitMs: number;
  /** Variables of the stack; default none. */
  env?: Readonly<Record<string, string>>;
  /** Writes to an empty stack, and measures. */
  measure: (started: PostgresStack) => Promise<Freshness>;
}

/** Shows freshness as 1 / seconds, so that more is better. */
export function freshnessRow({ number, case: title, limitMs, env, measure }: FreshnessRow): Row {
  return {
    number,
    case: title,
    goal: 1,
    async measure(report) {
      const started = await startPostgresStack(env);
      try {
        const { medianMs, p99Ms } = await measure(started);
        report(`median ${medianMs.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`);
        const ratio = rounded(limitMs / p99Ms);
        return { ours: 1000 / p99Ms, peer: 1000 / limitMs, ratio };
      } finally {
        await started.stop();
      }
    },
  };
}

/** @param seenAtMs when each write was seen, in the order in which they were committed */
export function freshnessOf(
  committedAtMs: readonly number[],
  seenAtMs: readonly number[],
): Freshness {
  const latenciesMs = seenAtMs.map((seen, index) =>
    Math.max(0, seen - (committedAtMs[index] ?? seen)),
  );
  return { medianMs: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) };
}
