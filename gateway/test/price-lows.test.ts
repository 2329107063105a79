import { create } from "@bufbuild/protobuf";
import { PricePastSchema } from "@storefront/contracts/pricing/v1/price_past";
import { afterEach, expect, test } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { post } from "./support/http-client.ts";
import { keptAnswers } from "./support/kept-answers.ts";
import { at, records } from "./support/records.ts";
import { meaningPath, searchPath } from "./support/search.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const { isHit, keep } = keptAnswers(stack);
const offer = records.offers.find(({ id }) => id === "full");
const { releaseDate } = offer ?? {};
const { past } = records;
afterEach(() => {
  if (offer !== undefined) offer.releaseDate = releaseDate;
  records.past = past;
  delete records.giveawayValidity.validForMs;
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

interface PricedOperation {
  path: string;
  procedure: string;
  /** Of tRPC; what of it is no part of the path is the body of a POST. */
  input: Record<string, unknown>;
  /** A POST of REST; default GET. */
  isPost?: boolean;
  /** tRPC takes it by POST alone. */
  isMutation?: boolean;
}

const operations: readonly PricedOperation[] = [
  { path: "/offers/full/price", procedure: "pricing.getPrice", input: { id: "full" } },
  { path: "/offers/full", procedure: "catalog.getOffer", input: { id: "full" } },
  { path: "/offers/full/overview", procedure: "catalog.getOfferOverview", input: { id: "full" } },
  {
    path: "/offers/full/collection",
    procedure: "catalog.listOfferCollection",
    input: { id: "full" },
  },
  { path: "/offers/featured-discounts", procedure: "pricing.listFeaturedDiscounts", input: {} },
  { path: "/free-games", procedure: "pricing.listFreeGames", input: {} },
  { path: "/free-games/mobile", procedure: "pricing.listMobileFreeGames", input: {} },
  { path: searchPath, procedure: "search.searchOffers", input: {}, isPost: true },
  {
    path: meaningPath,
    procedure: "search.searchOffersByMeaning",
    input: { query: "moon" },
    isPost: true,
  },
  { path: "/search", procedure: "search.saveQuery", input: {}, isPost: true, isMutation: true },
];

/** What REST answers, `lows` in the query when given. */
async function askRest({ path, input, isPost = false }: PricedOperation, lows?: boolean) {
  const target = lows === undefined ? path : `${path}?lows=${lows}`;
  return (await stack().ask(target, isPost ? post(input) : {})).json;
}

async function callTrpc({ procedure, input, isMutation = false }: PricedOperation) {
  const asked = { ...input, lows: true };
  const path = `/trpc/${procedure}`;
  if (isMutation) return (await stack().ask(path, post(asked))).json;
  return (await stack().ask(`${path}?input=${encodeURIComponent(JSON.stringify(asked))}`)).json;
}

/** The prices in an answer, wherever they are. */
function pricesIn(answer: unknown): Record<string, unknown>[] {
  if (typeof answer !== "object" || answer === null) return [];
  const own = "appliedRules" in answer ? [answer as Record<string, unknown>] : [];
  return [...own, ...Object.values(answer).flatMap(pricesIn)];
}

test.each(operations)("$path shows lows where they are asked for, as tRPC does", async (each) => {
  const plain = pricesIn(await askRest(each));
  expect(plain.length).toBeGreaterThan(0);
  for (const price of plain) expect(price).not.toHaveProperty("lows");
  const prices = plain.map((price) => ({ ...price, lows: shown }));
  expect(pricesIn(await askRest(each, true))).toEqual(prices);
  expect(pricesIn(await callTrpc(each))).toEqual(prices);
  expect(pricesIn(await askRest(each, false))).toEqual(plain);
});

test.each(operations)("$path refuses what is neither true nor false", async (each) => {
  const { path, input, isPost = false } = each;
  const { status, json } = await stack().ask(`${path}?lows=yes`, isPost ? post(input) : {});
  expect([status, json]).toEqual([
    400,
    { error: "INVALID_ARGUMENT", message: "lows must be true or false." },
  ]);
});

test.each(operations)(
  "$path leaves out what was before the release, and asks for prices once",
  async (each) => {
    const asked = () =>
      stack().services.calls.filter(({ method }) => method === "batchGetPrices").length;
    const before = asked();
    if (offer !== undefined) offer.releaseDate = at("2022-02-02T00:00:00Z");
    passSeconds(3600);
    const exclusions = ["giveaway", "beforeRelease", "otherCurrency"];
    expect(pricesIn(await askRest(each, true))).toEqual([
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
  records.past = pastThatChangesIn(50);
  records.giveawayValidity.validForMs = 3_600_000n;
  const paths = ["/offers/full/price", "/offers/full/prices", "/free-games", "/free-games/mobile"];
  const withLows = paths.map((path) => `${path}?lows=true`);
  await keep(...withLows);
  passSeconds(3);
  for (const path of withLows) expect(await isHit(path)).toBe(true);
  passSeconds(48);
  for (const path of withLows) expect(await isHit(path)).toBe(false);
});

test("answers with lows and without are kept apart", async () => {
  const search = operations.find(({ path }) => path === searchPath);
  if (search === undefined) throw new Error("the search is among the operations");
  const both = [await askRest(search, true), await askRest(search), await askRest(search, true)];
  expect(both.map((answer) => "lows" in (pricesIn(answer)[0] ?? {}))).toEqual([true, false, true]);
});

test.each(operations)("$path has no lows while pricing is of the release before", async (each) => {
  records.past = undefined;
  const plain = pricesIn(await askRest(each));
  expect(pricesIn(await askRest(each, true))).toEqual(plain);
});

test("a pricing service that does not tell them is asked every second", async () => {
  records.past = undefined;
  const path = "/offers/full?lows=true";
  const { json } = await stack().ask(path);
  expect(pricesIn(json)[0]).not.toHaveProperty("lows");
  passSeconds(1);
  expect(await isHit(path)).toBe(false);
});
