import { beforeAll, describe, expect, it } from "vitest";
import type { SharedStack } from "./shared-stack.ts";

const observedAt = "2026-01-02T03:04:05.678Z";
const line = (kind: string, record: object, op = "upsert") =>
  `${JSON.stringify({ kind, op, observedAt, record })}\n`;

const kuwait = { id: "KUWAIT", currencyCode: "KWD", currencyDecimals: 3, countries: ["KW"] };
const priceOf = (offerId: string, originalPrice: number) => ({
  offerId,
  region: kuwait.id,
  price: { currencyCode: kuwait.currencyCode, originalPrice, discountPrice: originalPrice },
});

interface SearchPage {
  total: number;
  offers: { id: string; price: { region: string; price: { currencyDecimals: number } } }[];
}

/** Tests of the shared stack, which has one more region afterwards. */
export function describeRegions(shared: () => SharedStack): void {
  describe("a new region", () => {
    let stack: SharedStack;
    beforeAll(() => {
      stack = shared();
    });

    const search = async (): Promise<SearchPage> => {
      const response = await fetch(`${stack.gatewayUrl}/search/v2/search?country=KW`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ price: {}, sortBy: "price", sortDir: "asc" }),
      });
      expect(response.status).toBe(200);
      return (await response.json()) as SearchPage;
    };

    it("is searched with its prices as soon as it is imported, without a failed request", async () => {
      const before = await search();
      expect(new Set(before.offers.map(({ price }) => price.region))).toEqual(new Set(["MIDEAST"]));
      const [first, second] = before.offers.map(({ id }) => id);
      if (first === undefined || second === undefined) throw new Error("there are no offers");
      const text = [
        line("region", {
          ...kuwait,
          id: "MIDEAST",
          currencyCode: "USD",
          currencyDecimals: 2,
          countries: ["BH"],
        }),
        line("region", kuwait),
        line("price", priceOf(first, 9_500)),
        line("price", priceOf(second, 4_250)),
      ];
      const { status } = await stack.cli(["import", "-"], { stdin: text.join("") });
      expect(status).toBe(0);
      await expect.poll(async () => (await search()).total).toBe(2);
      const { offers } = await search();
      expect(offers.map(({ id }) => id)).toEqual([second, first]);
      expect(offers[0]?.price).toMatchObject({
        region: "KUWAIT",
        price: { currencyCode: "KWD", currencyDecimals: 3, discountPrice: 4_250 },
      });
      const listed = await fetch(`${stack.gatewayUrl}/regions`);
      expect(await listed.json()).toContainEqual({
        region: "KUWAIT",
        currencyCode: "KWD",
        currencyDecimals: 3,
        countries: ["KW"],
      });
    });
  });
}
