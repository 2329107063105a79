import type { Database } from "@storefront/database";
import { memoryDatabase } from "@storefront/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createPostgresEngine } from "../src/index.ts";
import { indexOnceCaughtUp } from "../src/indexing/index-once-caught-up.ts";
import { listGenerations } from "../src/store/generation-store.ts";
import { addReindex } from "../src/store/reindex-job-store.ts";
import { startSearch, startSources } from "./support/search-fixture.ts";
import type { RunningSearch, Sources } from "./support/search-fixture.ts";

let sources: Sources;
let running: RunningSearch | undefined;
beforeEach(async () => {
  sources = await startSources(await memoryDatabase("schemas"));
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  await sources.close();
});

const hasIndex = async ({ database }: { database: Database }) =>
  (await listGenerations(database)).some(({ isLive }) => isLive);

const isDisconnected = () => Promise.reject(new Error("the feed is not connected"));
const isBehind = (lagEntries: bigint) => () => Promise.resolve({ lagEntries });

/**
 * Starts the keeper of a search without an index.
 *
 * @param probes responses of a feed, in order
 * @returns the number of probes before each start.
 */
async function startKeeper(probes: readonly (() => Promise<{ lagEntries: bigint }>)[]) {
  let probed = 0;
  const probe = () => {
    const respond = probes[Math.min(probed, probes.length - 1)] ?? isDisconnected;
    probed += 1;
    return respond();
  };
  const startedAfter: number[] = [];
  await indexOnceCaughtUp({
    database: sources.database,
    engine: createPostgresEngine(sources.database),
    keeper: { start: () => void startedAfter.push(probed) },
    feeds: new Map([
      ["catalog", { probe }],
      ["pricing", { probe: isBehind(0n) }],
    ]),
    disconnectedMs: Infinity,
    signal: new AbortController().signal,
  });
  return startedAfter;
}

it("builds the first index once the feeds have caught up", async () => {
  expect(await startKeeper([isDisconnected, isBehind(2n), isBehind(1n), isBehind(0n)])).toEqual([
    4,
  ]);
});

it("builds it at once on request", async () => {
  const { database } = sources;
  const asked = { signature: "any", startedBy: "somebody", holder: "another process" };
  const asks = async () => {
    await database.transaction((tx) => addReindex(tx, asked));
    return { lagEntries: 2n };
  };
  expect(await startKeeper([isDisconnected, isBehind(2n), asks])).toEqual([3]);
});

it("builds it although a feed is unavailable", async () => {
  const urls = { ...sources.urls, pricing: "http://127.0.0.1:1" };
  running = await startSearch({ ...sources, urls });
  await expect.poll(() => hasIndex(sources)).toBe(true);
});
