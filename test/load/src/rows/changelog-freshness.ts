import { setTimeout as sleep } from "node:timers/promises";
import { freshnessOf, freshnessRow } from "../freshness-row.ts";
import { writeOffersPaced } from "../write-offers-paced.ts";

const perSecond = 200;
const writes = 20 * perSecond;
const pageSize = 50;

// How often the reader looks when there was nothing new; it counts as latency.
const lookIntervalMs = 5;

/** How long after its commit a write is in the changelog that clients read. */
export const changelogFreshness = freshnessRow({
  number: 12,
  case: "1 / p99 of the seconds from commit to GET /changelist at 200 writes/s, what is due together in one transaction; peer: the limit, 1 s",
  limitMs: 1000,
  async measure(started) {
    const committedAtMs: number[] = [];
    // The first entry is where the reader starts.
    const writing = writeOffersPaced(started, { writes, perSecond }, () => {
      committedAtMs.push(performance.now());
    });
    const seenAtMs = await readAll(started.stack.gatewayUrl);
    await writing;
    return freshnessOf(committedAtMs, seenAtMs);
  },
});

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
