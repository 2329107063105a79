import { expect, test } from "vitest";
import { useCachingStack } from "./support/start-stack.ts";

// Enough for two responses that show an offer, and no more.
const stack = useCachingStack({ responseCacheBytes: 36_000 });

const isHit = async (path: string) => {
  const { headers, status } = await stack().ask(path);
  expect(status).toBe(200);
  return headers["age"] !== undefined;
};

test("responses that do not fit together are evicted, and made again", async () => {
  expect(await isHit("/offers/full/price-history")).toBe(false);
  expect(await isHit("/offers/full/price-history")).toBe(true);
  for (let index = 0; index < 20; index++) {
    await isHit(`/offers/full?locale=de-${String.fromCodePoint(65 + index)}A`);
  }
  expect(await isHit("/offers/full/price-history")).toBe(false);
});

test("request targets without end evict no response", async () => {
  await isHit("/offers/full");
  for (let name = 0; name < 100; name++) {
    expect(await isHit(`/offers/full?${"x".repeat(1000)}${name}=1`)).toBe(true);
  }
  expect(await isHit("/offers/full")).toBe(true);
});
