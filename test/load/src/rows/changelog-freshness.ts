import { setTimeout as sleep } from "node:timers/promises";
import { writePaced } from "../paced-writes.ts";
import { percentile } from "../percentile.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import type { Row } from "../row.ts";

const writesPerSecond = 200;
const writes = 20 * writesPerSecond;
const limitMs = 1000;
const pageSize = 50;

// How often the reader looks when there was nothing new; it counts as latency.
const lookIntervalMs = 5;

/** How long after its commit a write is in the changelog that clients read. */
export const changelogFreshness: Row = {
  number: 12,
  case: "1 / p99 of the seconds from commit to GET /changelist at 200 writes/s, what is due together in one transaction; peer: the limit, 1 s",
  goal: 1,
  async measure(report) {
    const started = await startPostgresStack();
    try {
      const latenciesMs = await measureLatencies(started);
      const p99Ms = percentile(latenciesMs, 0.99);
      report(`median ${percentile(latenciesMs, 0.5).toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`);
      const ratio = Math.round((limitMs / p99Ms) * 100) / 100;
      return { ours: 1000 / p99Ms, peer: 1000 / limitMs, ratio };
    } finally {
      await started.stop();
    }
  },
};

async function measureLatencies(started: PostgresStack): Promise<number[]> {
  const committedAtMs: number[] = [];
  // The first entry is where the reader starts.
  const writing = writePaced(started, { writes, perSecond: writesPerSecond }, () => {
    committedAtMs.push(performance.now());
  });
  const seenAtMs = await readAll(started.stack.gatewayUrl);
  await writing;
  return seenAtMs.map((seen, index) => Math.max(0, seen - (committedAtMs[index] ?? seen)));
}

/** When each entry was seen first, in the order of the log, by a client that syncs from it. */
async function readAll(gatewayUrl: string): Promise<number[]> {
  const seenAtMs: number[] = [];
  let after: string | undefined;
  while (seenAtMs.length < writes) {
    const start = after === undefined ? "since=2000-01-01T00:00:00Z" : `after=${after}`;
    const response = await fetch(`${gatewayUrl}/changelist?${start}&limit=${pageSize}`);
    const entries = (await response.json()) as { _id: string }[];
    const nowMs = performance.now();
    for (const { _id: id } of entries) {
      seenAtMs.push(nowMs);
      after = id;
    }
    if (entries.length === 0) await sleep(lookIntervalMs);
  }
  return seenAtMs;
}
