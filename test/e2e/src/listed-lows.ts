import { expect, vi } from "vitest";
import { askEach, request } from "./ask.ts";

/** A request for a list, without lows. */
interface List {
  path: string;
  /** Body of a POST; a GET without. */
  body?: object;
}

/** The members of a price that are read. */
interface ShownPrice {
  offerId: string;
  price: { discountPrice: number };
  lows?: { ever: { discountPrice: number } | null };
}

/** How many prices were compared. */
interface Compared {
  all: number;
  /** Those that were lower once. */
  onceLower: number;
}

const lists: readonly List[] = [
  { path: "/search/v2/search", body: { limit: 100, aggregations: false } },
  { path: "/search/v2/search", body: { limit: 50, aggregations: false, lowestPriceOf: "days90" } },
  { path: "/search", body: { limit: 50, onSale: true } },
  { path: "/search/natural-language", body: { query: "a calm game", topK: 50 } },
  ...["current", "upcoming", "past"].map((state) => ({
    path: `/free-games?limit=100&state=${state}`,
  })),
  { path: "/free-games/mobile" },
  { path: "/offers/featured-discounts" },
];

/** Paths below an offer whose responses have prices. */
const parts = ["", "/overview", "/collection"];

/** Time limit for a list and each of its prices to agree, in milliseconds: a busy machine is slow. */
const patience = { timeout: 60_000 };

/**
 * Compares every price in lists of searches and giveaways, and in responses about some offers, all with lows, with the
 * result of `getPrice` for its offer.
 *
 * @throws the first difference
 */
export async function compareListedLows(
  gatewayUrl: string,
  country: string,
  offerIds: readonly string[],
): Promise<Compared> {
  const compared: ShownPrice[] = [];
  const ofOffers = offerIds.flatMap((id) =>
    parts.map((part): List => ({ path: `/offers/${id}${part}` })),
  );
  for (const { path, body } of [...lists, ...ofOffers]) {
    const target = `${path}${path.includes("?") ? "&" : "?"}country=${country}&lows=true`;
    // Time alone changes lows, also between two requests.
    const prices = await vi.waitFor(async () => {
      const { status, result } = await request(gatewayUrl + target, body);
      // Few offers have a collection.
      if (status === 404) return [];
      expect({ target, status }).toEqual({ target, status: 200 });
      const pairs = await ownPrices(gatewayUrl, pricesIn(result), country);
      for (const { listed, own } of pairs) {
        expect({ target, price: listed }).toEqual({ target, price: own });
      }
      return pairs.map(({ own }) => own);
    }, patience);
    compared.push(...prices);
  }
  const onceLower = compared.filter(
    ({ price, lows }) => lows?.ever && lows.ever.discountPrice < price.discountPrice,
  );
  return { all: compared.length, onceLower: onceLower.length };
}

/** Listed prices with the results of `getPrice`; without offers that are not sold in the country. */
async function ownPrices(gatewayUrl: string, prices: readonly ShownPrice[], country: string) {
  const pairs: { listed: ShownPrice; own: ShownPrice }[] = [];
  await askEach(prices, async (listed) => {
    const path = `/offers/${encodeURIComponent(listed.offerId)}/price`;
    const { status, result } = await request(`${gatewayUrl}${path}?country=${country}&lows=true`);
    if (status === 200) pairs.push({ listed, own: result as ShownPrice });
    return [];
  });
  return pairs;
}

/** The prices in a response, at any depth. */
function pricesIn(result: unknown): ShownPrice[] {
  if (typeof result !== "object" || result === null) return [];
  const own = isPrice(result) ? [result] : [];
  return [...own, ...Object.values(result).flatMap(pricesIn)];
}

function isPrice(value: object): value is ShownPrice {
  return "appliedRules" in value;
}
