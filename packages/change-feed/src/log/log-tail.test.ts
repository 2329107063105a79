import type { Polling } from "@storefront/database";
import { expect, it, vi } from "vitest";
import type { LogPosition, LogSource } from "./log-source.ts";
import { LogTail } from "./log-tail.ts";

const at = (sequence: bigint): LogPosition => ({ sequence, identity: `at ${sequence}` });

/** A log whose first entry matches the filter; its second does not. */
const source: LogSource = {
  read: (after) =>
    Promise.resolve({
      entries: after < 1n ? [new Uint8Array([1])] : [],
      at: at(after),
      start: 0n,
      through: at(2n),
      newest: at(2n),
    }),
  newest: () => Promise.resolve(at(2n)),
  extent: () =>
    Promise.resolve({ length: 2n, oldest: 1n, oldestAt: undefined, start: 0n, sizeBytes: 0n }),
  id: () => Promise.resolve("a log"),
};

/** Never due. */
const polling: Polling = {
  idleSinceMs: undefined,
  runInBackground: (work) => work(),
  untilNextPoll: (_ms, signal) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    }),
};

it("reports at once that no later entries match", async () => {
  const tail = new LogTail({ source, polling, heartbeatMs: 3_600_000 });
  const ending = new AbortController();
  const { signal } = ending;
  const batches = tail.watch({ after: at(0n), filter: { kinds: ["wanted"] }, signal });
  expect((await batches.next()).value?.entries).toHaveLength(1);
  expect((await batches.next()).value).toMatchObject({ entries: [], newest: at(2n) });
  ending.abort();
  await batches.return(undefined);
});

it("sends a shorter requested heartbeat without reading the log", async () => {
  let reads = 0;
  const read: LogSource["read"] = (after) => {
    reads += 1;
    return source.read(after);
  };
  const tail = new LogTail({ source: { ...source, read }, polling, heartbeatMs: 3_600_000 });
  const ending = new AbortController();
  const batches = tail.watch({ after: at(2n), heartbeatMs: 1, signal: ending.signal });
  for (let heartbeat = 0; heartbeat < 5; heartbeat++) {
    expect((await batches.next()).value).toMatchObject({ entries: [], newest: at(2n) });
  }
  // At the beginning, and for the first poll.
  expect(reads).toBe(2);
  ending.abort();
  await batches.return(undefined);
});

it("sends no heartbeat while the log cannot be read", async () => {
  const gate = Promise.withResolvers<LogPosition>();
  const tail = new LogTail({ source: { ...source, newest: () => gate.promise }, polling });
  const ending = new AbortController();
  let beatAtMs = performance.now();
  const watching = (async () => {
    const batches = tail.watch({ after: at(2n), heartbeatMs: 1, signal: ending.signal });
    for await (const _ of batches) beatAtMs = performance.now();
  })();
  await vi.waitUntil(() => performance.now() - beatAtMs > 1_000, { timeout: 20_000 });
  const silentAtMs = performance.now();
  gate.resolve(at(2n));
  await expect.poll(() => beatAtMs, { timeout: 20_000 }).toBeGreaterThan(silentAtMs);
  ending.abort();
  await watching;
});
