import { afterEach, expect, test } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { keptAnswers } from "./support/kept-answers.ts";
import { at, records } from "./support/records.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const { isHit, keep } = keptAnswers(stack);
const offer = records.offers.find(({ id }) => id === "full");
const { releaseDate } = offer ?? {};
const { lows } = records;
afterEach(() => {
  if (offer !== undefined) offer.releaseDate = releaseDate;
  records.lows = lows;
});

const shown = {
  since: "2021-01-01T00:00:00.000Z",
  ever: {
    discountPrice: 500,
    firstAt: "2021-01-01T00:00:00.000Z",
    lastAt: "2021-02-01T00:00:00.000Z",
  },
  days365: null,
  days90: { discountPrice: 999, firstAt: "2026-05-04T03:02:01.500Z", lastAt: null },
  days30: null,
  reduction: { since: "2026-05-04T03:02:01.500Z", priceBefore: 1999, lowest30DaysBefore: null },
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
  "$path asks again, by the release, only where prices are older than that",
  async ({ path }) => {
    const asked = () =>
      stack().services.calls.filter(({ method }) => method === "batchGetPrices").length;
    const before = asked();
    await stack().ask(`${path}?lows=true`);
    expect(asked() - before).toBe(1);
    passSeconds(3600);
    if (offer !== undefined) offer.releaseDate = at("2022-02-02T00:00:00Z");
    const { json } = await stack().ask(`${path}?lows=true`);
    expect(pricesIn(json)).toEqual([
      expect.objectContaining({
        offerId: "full",
        lows: expect.objectContaining({ ever: null, exclusions: ["beforeRelease"] }) as unknown,
      }),
    ]);
    expect(asked() - before).toBe(3);
  },
);

test("lows are kept until time alone changes them, and no longer", async () => {
  const path = "/offers/full/price?lows=true";
  await keep(path);
  passSeconds(3);
  expect(await isHit(path)).toBe(true);
  passSeconds(8);
  expect(await isHit(path)).toBe(false);
});

test("a pricing service that does not tell them is asked every second", async () => {
  records.lows = undefined;
  const path = "/offers/full?lows=true";
  const { json } = await stack().ask(path);
  expect(pricesIn(json)[0]).not.toHaveProperty("lows");
  passSeconds(1);
  expect(await isHit(path)).toBe(false);
});

test("prices are shown without lows when pricing fails once the release is known", async () => {
  if (offer !== undefined) offer.releaseDate = at("2022-02-02T00:00:00Z");
  let asked = 0;
  stack().services.interfere.set("batchGetPrices", () => {
    asked++;
    return asked === 1 ? Promise.resolve() : Promise.reject(new Error("broken"));
  });
  const { json, headers } = await stack().ask("/offers/full/collection?lows=true");
  expect(asked).toBeGreaterThan(1);
  const [price] = pricesIn(json);
  expect(price).toHaveProperty("offerId", "full");
  expect(price).not.toHaveProperty("lows");
  expect(headers["catalog-degraded"]).toBe("pricing");
});
