import { create } from "@bufbuild/protobuf";
import { PricePastSchema } from "@storefront/contracts/pricing/v1/price_past";
import { afterEach, expect, test } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { post } from "./support/http-client.ts";
import { cachedResponses } from "./support/cached-responses.ts";
import { records } from "./support/records.ts";
import { meaningPath, searchPath } from "./support/search.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const { isHit, warm } = cachedResponses(stack);
const { past } = records;
afterEach(() => {
  records.past = past;
  delete records.giveawayValidity.validForMs;
});

const operations: [path: string, body?: object][] = [
  ["/offers/full/price"],
  ["/offers/full"],
  ["/offers/full/overview"],
  ["/offers/full/collection"],
  ["/offers/featured-discounts"],
  ["/free-games"],
  ["/free-games/mobile"],
  [searchPath, {}],
  [meaningPath, { query: "moon" }],
  ["/search", {}],
];

const askFor = async (path: string, body?: object) =>
  await stack().ask(path, body === undefined ? {} : post(body));

/** The prices in a response, wherever they are. */
function pricesIn(response: unknown): Record<string, unknown>[] {
  if (typeof response !== "object" || response === null) return [];
  const own = "appliedRules" in response ? [response as Record<string, unknown>] : [];
  return [...own, ...Object.values(response).flatMap(pricesIn)];
}

test.each(operations)("%s refuses `lows` that is neither true nor false", async (path, body) => {
  const { status, json } = await askFor(`${path}?lows=yes`, body);
  expect([status, json]).toEqual([
    400,
    { error: "INVALID_ARGUMENT", message: "lows must be true or false." },
  ]);
});

/** A past with a 30-day low that expires after these seconds. */
function pastThatChangesIn(seconds: number) {
  const endMs = BigInt(Date.now() + seconds * 1000 - 30 * 86_400_000);
  return create(PricePastSchema, {
    lastStartMs: endMs,
    sinceMs: 0n,
    steps: [
      { discountPrice: 500n, startMs: 0n, endMs },
      { discountPrice: 999n, startMs: endMs },
    ],
  });
}

test("lows are cached until time alone changes them, and no longer", async () => {
  records.past = pastThatChangesIn(50);
  records.giveawayValidity.validForMs = 3_600_000n;
  const paths = ["/offers/full/price", "/offers/full/prices", "/free-games", "/free-games/mobile"];
  const withLows = paths.map((path) => `${path}?lows=true`);
  await warm(...withLows);
  passSeconds(3);
  for (const path of withLows) expect(await isHit(path)).toBe(true);
  passSeconds(48);
  for (const path of withLows) expect(await isHit(path)).toBe(false);
});

test("responses with and without lows are cached separately", async () => {
  const haveLows: boolean[] = [];
  for (const lows of [true, false, true]) {
    const { json } = await askFor(`${searchPath}?lows=${lows}`, {});
    haveLows.push("lows" in (pricesIn(json)[0] ?? {}));
  }
  expect(haveLows).toEqual([true, false, true]);
});

test.each(operations)("%s has no lows with pricing of the release before", async (path, body) => {
  records.past = undefined;
  const plain = pricesIn((await askFor(path, body)).json);
  expect(pricesIn((await askFor(`${path}?lows=true`, body)).json)).toEqual(plain);
});

test("a pricing service that does not report lows is called every second", async () => {
  records.past = undefined;
  const path = "/offers/full?lows=true";
  const { json } = await stack().ask(path);
  expect(pricesIn(json)[0]).not.toHaveProperty("lows");
  passSeconds(1);
  expect(await isHit(path)).toBe(false);
});
