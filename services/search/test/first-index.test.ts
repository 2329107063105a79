import type { Database } from "@storefront/database";
import { memoryDatabase } from "@storefront/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listGenerations } from "../src/store/generation-store.ts";
import { lastReindex } from "../src/store/reindex-job-store.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { RunningSearch, Sources } from "./support/search-fixture.ts";

const offers = 40;

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

it("makes the first index of what the feeds have told in the end", async () => {
  const { database } = sources;
  const record = (n: number) => ({
    kind: "offer",
    record: { id: `offer-${n}`, title: `Title ${n}` },
  });
  await sources.ingest(Array.from({ length: offers }, (_, n) => record(n)));
  await eventually(async () => {
    const row = await database.readOne<{ entries: bigint }>(
      "select count(*) as entries from changelog.entry",
    );
    return row?.entries === BigInt(offers);
  });
  running = await startSearch(sources);
  await eventually(() => isCaughtUp(database));
  // Each offer and each entry about it: all were copied, none was written by a follower.
  expect(await lastReindex(database)).toMatchObject({ phase: "done", written: 2 * offers });
});

it("makes it although a feed is away", async () => {
  const urls = { ...sources.urls, pricing: "http://127.0.0.1:1" };
  running = await startSearch({ ...sources, urls });
  await expect.poll(() => hasIndex(sources)).toBe(true);
});
