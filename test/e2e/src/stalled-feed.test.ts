import { createGateway } from "@storefront/gateway";
import { createLogger } from "@storefront/telemetry";
import { startHttpProxy, startStack } from "@storefront/testkit";
import type { HttpProxy, TestStack } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { fetchDocumented } from "./fetch-documented.ts";

const watchPath = "/storefront.feed.v1.FeedService/WatchChanges";

const resources = new AsyncDisposableStack();
let stack: TestStack;
/** Between a gateway and pricing. */
let proxy: HttpProxy;
const log: string[] = [];
let gatewayUrl: string;

beforeAll(async () => {
  stack = await startStack();
  resources.defer(async () => void (await stack.stop()));
  const urlOf = (name: string) => stack.services[name]?.url ?? "";
  proxy = resources.adopt(await startHttpProxy(urlOf("pricing")), (used) => used.stop());
  const destination = { write: (line: string) => log.push(line) };
  const gateway = createGateway({
    serviceUrls: {
      catalog: urlOf("catalog"),
      pricing: proxy.url,
      reviews: urlOf("reviews"),
      changelog: urlOf("changelog"),
      search: urlOf("search"),
    },
    logger: createLogger({ service: "gateway", level: "warn", destination }),
  });
  resources.adopt(gateway, (used) => used.close());
  const { port } = await gateway.listen({ port: 0, host: "127.0.0.1" });
  gatewayUrl = `http://127.0.0.1:${port}`;
});
afterAll(() => resources.disposeAsync());

async function write(kind: string, record: object): Promise<void> {
  const line = { kind, op: "upsert", observedAt: new Date().toISOString(), record };
  const { status } = await stack.cli(["import", "--json", "-"], { stdin: JSON.stringify(line) });
  expect(status).toBe(0);
}

const writePrice = (discountPrice: number) =>
  write("price", {
    offerId: "a",
    region: "US",
    price: { currencyCode: "USD", originalPrice: 1999, discountPrice },
  });

const ask = async () => await fetchDocumented(`${gatewayUrl}/offers/a/price`);

/** Asks until the answer has been kept for longer than one is that no feed vouches for. */
const keep = () => vi.waitUntil(async () => Number((await ask()).headers.get("age")) >= 1);

it("a price shows while the feed's stream is silent without an end, and is kept when it goes on", async () => {
  await write("offer", { id: "a", namespace: "room", title: "A", offerType: "BASE_GAME" });
  await writePrice(1499);
  await keep();
  proxy.stall(watchPath);
  await writePrice(999);
  await expect.poll(async () => (await ask()).body).toContain('"discountPrice":999');
  expect(log.join("")).not.toContain("the feed broke");
  proxy.unstall();
  await keep();
  expect(log.join("")).not.toContain("the feed broke");
});
