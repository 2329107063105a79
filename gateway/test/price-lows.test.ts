import { create } from "@bufbuild/protobuf";
import { PricePastSchema } from "@storefront/contracts/pricing/v1/price_past";
import { afterEach, expect, test } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { keptAnswers } from "./support/kept-answers.ts";
import { at, records } from "./support/records.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const { isHit, keep } = keptAnswers(stack);
const offer = records.offers.find(({ id }) => id === "full");
const { releaseDate } = offer ?? {};
const { past } = records;
afterEach(() => {
  if (offer !== undefined) offer.releaseDate = releaseDate;
  records.past = past;
});

const present = { discountPrice: 999, firstAt: "2026-05-04T03:02:01.500Z", lastAt: null };
const shown = {
  since: "2021-01-01T00:00:00.000Z",
  ever: {
    discountPrice: 500,
    firstAt: "2021-01-01T00:00:00.000Z",
    lastAt: "2021-02-01T00:00:00.000Z",
  },
  days365: present,
  days90: present,
  days30: present,
  reduction: { since: present.firstAt, priceBefore: 1999, lowest30DaysBefore: 1999 },
  exclusions: ["giveaway", "otherCurrency"],
};

const operations = [
  { path: "/offers/full/price", procedure: "pricing.getPrice", input: { id: "full" } },
  { path: "/offers/full", procedure: "catalog.getOffer", input: { id: "full" } },
  { path: "/offers/full/overview", procedure: "catalog.getOfferOverview", input: { id: "full" } },
  {
    path: "/offers/full/collection",
    procedure: "catalog.listOfferCollection",
    input: { id: "full" },
  },
  { path: "/offers/featured-discounts", procedure: "pricing.listFeaturedDiscounts", input: {} },
] as const;

/** The prices in an answer, wherever they are. */
function pricesIn(answer: unknown): Record<string, unknown>[] {
  if (typeof answer !== "object" || answer === null) return [];
  const own = "appliedRules" in answer ? [answer as Record<string, unknown>] : [];
  return [...own, ...Object.values(answer).flatMap(pricesIn)];
}

test.each(operations)("$path shows lows where they are asked for, as tRPC does", async (each) => {
  const { path, procedure, input } = each;
  const plain = pricesIn((await stack().ask(path)).json);
  expect(plain.length).toBeGreaterThan(0);
  for (const price of plain) expect(price).not.toHaveProperty("lows");
  const { json } = await stack().ask(`${path}?lows=true`);
  const prices = pricesIn(json);
  expect(prices).toEqual(plain.map((price) => ({ ...price, lows: shown })));
  const asked = encodeURIComponent(JSON.stringify({ ...input, lows: true }));
  const called = await stack().ask(`/trpc/${procedure}?input=${asked}`);
  expect(called.json).toEqual({ result: { data: json } });
  const { json: without } = await stack().ask(`${path}?lows=false`);
  expect(pricesIn(without)).toEqual(plain);
});

test("what is neither true nor false is refused", async () => {
  const { status, json } = await stack().ask("/offers/full/price?lows=yes");
  expect([status, json]).toEqual([
    400,
    expect.objectContaining({ message: expect.stringContaining("true or false") as string }),
  ]);
});

test.each(operations.slice(0, 4))(
  "$path leaves out what was before the release, and asks for prices once",
  async ({ path }) => {
    const asked = () =>
      stack().services.calls.filter(({ method }) => method === "batchGetPrices").length;
    const before = asked();
    if (offer !== undefined) offer.releaseDate = at("2022-02-02T00:00:00Z");
    passSeconds(3600);
    const { json } = await stack().ask(`${path}?lows=true`);
    const exclusions = ["giveaway", "beforeRelease", "otherCurrency"];
    expect(pricesIn(json)).toEqual([
      expect.objectContaining({
        offerId: "full",
        lows: { ...shown, since: "2022-02-02T00:00:00.000Z", ever: present, exclusions },
      }),
    ]);
    expect(asked() - before).toBe(1);
  },
);

/** The low of its last 30 days is no more in so many seconds. */
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

test("lows are kept until time alone changes them, and no longer", async () => {
  records.past = pastThatChangesIn(25);
  const paths = ["/offers/full/price?lows=true", "/offers/full/prices?lows=true"];
  await keep(...paths);
  passSeconds(3);
  for (const path of paths) expect(await isHit(path)).toBe(true);
  passSeconds(23);
  for (const path of paths) expect(await isHit(path)).toBe(false);
});

test("a pricing service that does not tell them is asked every second", async () => {
  records.past = undefined;
  const path = "/offers/full?lows=true";
  const { json } = await stack().ask(path);
  expect(pricesIn(json)[0]).not.toHaveProperty("lows");
  passSeconds(1);
  expect(await isHit(path)).toBe(false);
});
