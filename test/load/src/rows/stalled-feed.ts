import { startHttpProxy } from "@storefront/testkit";
import { setTimeout as sleep } from "node:timers/promises";
import { startGatewayProcess } from "../catalogue/start-gateway-process.ts";
import { freshnessRow } from "../freshness-row.ts";
import { writeOffers, writePrices } from "../outage/write-priced-offers.ts";
import { percentile } from "../percentile.ts";
import type { PostgresStack } from "../postgres-stack.ts";

const watchPath = "/storefront.feed.v1.FeedService/WatchChanges";
const offerId = "stalled";
const rounds = 15;
const pollMs = 10;

/** Row 31: a written price while the stream that announces prices delivers nothing and stays open. */
export const stalledFeed = freshnessRow({
  number: 31,
  case: "1 / p99 of the seconds from a written price to a fresh response while the gateway's stream of prices is stalled; peer: the limit, 1 s",
  limitMs: 1000,
  async measure(started) {
    await using stack = new AsyncDisposableStack();
    const { services } = started.stack;
    const proxy = stack.adopt(await startHttpProxy(services["pricing"]?.url ?? ""), (used) =>
      used.stop(),
    );
    const gateway = stack.adopt(
      await startGatewayProcess({ ...services, pricing: { url: proxy.url, grpcAddress: "" } }, {}),
      (used) => used.stop(),
    );
    const get = () => fetch(`${gateway.url}/offers/${offerId}/price`);
    await writeOffers(started, [offerId], "list");
    const latenciesMs: number[] = [];
    for (let cents = 1n; cents <= rounds; cents++) {
      await writePrices(started, [offerId], 2n * cents);
      // Cached for longer than a response may be without a live stream.
      await until(async () => Number((await get()).headers.get("age")) >= 1);
      proxy.stall(watchPath);
      latenciesMs.push(await msUntilShown(started, 2n * cents + 1n, get));
      proxy.unstall();
    }
    return { medianMs: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) };
  },
});

async function msUntilShown(
  started: PostgresStack,
  cents: bigint,
  get: () => Promise<Response>,
): Promise<number> {
  await writePrices(started, [offerId], cents);
  const writtenAtMs = performance.now();
  await until(async () => (await (await get()).text()).includes(`"discountPrice":${cents}`));
  return performance.now() - writtenAtMs;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(pollMs);
}
