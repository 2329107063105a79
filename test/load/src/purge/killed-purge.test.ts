import { feedNames } from "@storefront/process";
import {
  describeUnlessMissing,
  drillsAreLong,
  missingPostgres,
  missingVarnish,
} from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import { writePricesPaced } from "../write-prices-paced.ts";
import {
  firstPrices,
  nextPrice,
  readHotOffers,
  writeHotOffers,
  writeHotPrices,
} from "./hot-offers.ts";
import type { EdgeRead } from "./hot-offers.ts";
import { edgeEnvironment, startEdge } from "./start-edge.ts";
import type { RunningEdge } from "./start-edge.ts";

const perSecond = 200;
const kills = drillsAreLong ? 20 : 3;
/** How long each purge process runs, in milliseconds. */
const lifeMs = 6000;
/** How old the edge's response may be after a write, in milliseconds. */
const limitMs = 2000;

const purgesEverything = "everything is purged";

describeUnlessMissing("a Varnish that is purged", missingVarnish() ?? missingPostgres(), () => {
  const resources = new AsyncDisposableStack();
  let started: PostgresStack;
  let edge: RunningEdge;

  beforeAll(async () => {
    started = resources.adopt(await startPostgresStack(edgeEnvironment), (each) => each.stop());
    edge = resources.adopt(await startEdge(started), (each) => each.stop());
    await writeHotOffers(started);
  });
  afterAll(() => resources.disposeAsync());

  const ask = async (path: string) => {
    const response = await fetch(edge.url + path);
    const isHit = response.headers.get("x-varnish")?.includes(" ") === true;
    return { isHit, headers: response.headers, text: await response.text() };
  };

  it("caches a response at the first read, and serves the new one soon after a write", async () => {
    const purge = edge.startPurge();
    await purge.begun;
    await vi.waitUntil(async () => (await ask("/offers/offer-0/price")).isHit);
    const { headers } = await ask("/offers/offer-0/price");
    // Browsers may cache it for as long as without an edge, and caches beyond the edge no longer.
    expect(headers.get("cache-control")).toBe("public, max-age=60, stale-while-revalidate=300");
    expect(headers.has("xkey")).toBe(false);
    await writePricesPaced(
      started,
      { writes: 1, perSecond },
      () => undefined,
      () => "offer-0",
    );
    await expect
      .poll(async () => (await ask("/offers/offer-0/price")).text)
      .toContain('"discountPrice":0');
    // The first run purges everything; later runs resume from its cursors.
    expect(purge.log()).toContain(purgesEverything);
    const state = `${started.stack.dataDirectory}/purge.json`;
    const notedFeeds = async () => {
      const text = await readFile(state, "utf8").catch(() => '{"cursors":{}}');
      return Object.keys((JSON.parse(text) as { cursors: object }).cursors);
    };
    await expect.poll(notedFeeds, { timeout: 60_000 }).toHaveLength(feedNames.length);
    expect(await purge.stop()).toBe(0);
  });

  it(`lags by at most 2 s while the purge is killed ${kills} times under writes and reads`, async () => {
    const committedAtMs: number[] = [];
    const reads: EdgeRead[] = [];
    const lives: { beganAtMs: number; endedAtMs: number }[] = [];
    const ending = new AbortController();
    const writes = Math.ceil((kills * perSecond * lifeMs * 1.5) / 1000);
    const onCommitted = () => committedAtMs.push(performance.now());
    const writing = writeHotPrices(started, { writes, perSecond }, onCommitted);
    // Until every hot offer has a price of this series.
    await vi.waitUntil(() => committedAtMs.length >= firstPrices, { timeout: 60_000 });
    const reading = readHotOffers(edge.url, ending.signal, (read) => reads.push(read));
    for (let kill = 0; kill < kills; kill++) {
      const purge = edge.startPurge();
      await purge.begun;
      const beganAtMs = performance.now();
      await sleep(lifeMs);
      lives.push({ beganAtMs, endedAtMs: performance.now() });
      await purge.kill();
      expect(purge.log()).not.toContain(purgesEverything);
    }
    ending.abort();
    await Promise.all([reading, writing]);

    const behindMs = reads.map(({ number, askedAtMs }) => {
      const life = lives.find((each) => each.beganAtMs < askedAtMs && askedAtMs < each.endedAtMs);
      const overwrittenAtMs = committedAtMs[nextPrice(number)];
      if (life === undefined || overwrittenAtMs === undefined) return 0;
      return askedAtMs - Math.max(overwrittenAtMs, life.beganAtMs);
    });
    const mostMs = behindMs.reduce((most, each) => Math.max(most, each), 0);
    const hitRate = reads.filter(({ isHit }) => isHit).length / reads.length;
    expect(mostMs).toBeLessThanOrEqual(limitMs);
    expect(hitRate).toBeGreaterThanOrEqual(0.95);
  }, 600_000);
});
