import { unavailable } from "@storefront/rpc";
import { expect, test } from "vitest";
import { post } from "./support/http-client.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const batch = (body: object, query = "") => stack().ask(`/offers/batch${query}`, post(body));

const messageOf = async (body: object, query = "") => {
  const { status, json } = await batch(body, query);
  expect([status, json]).toEqual([400, expect.objectContaining({ error: "INVALID_ARGUMENT" })]);
  return (json as { message: string }).message;
};

test("an invalid batch is refused with the member at fault and its rule", async () => {
  const idsRule = "ids must be an array of at most 1000 offer ids.";
  expect(await messageOf({})).toBe(idsRule);
  expect(await messageOf({ ids: "full" })).toBe(idsRule);
  expect(await messageOf({ ids: Array.from({ length: 1001 }, () => "full") })).toBe(idsRule);
  expect(await messageOf({ ids: ["full", ""] })).toMatch(/^ids\[1\] must be 1 to 256 characters/);
  expect(await messageOf({ ids: ["full", 7] })).toMatch(/^ids\[1\] must be 1 to 256 characters/);
  expect(await messageOf({ ids: [], prices: "no" })).toBe("prices must be true or false.");
  expect(await messageOf({ ids: [], lows: 1 })).toBe("lows must be true or false.");
  expect(await messageOf({ ids: [], fields: "title" })).toBe(
    "fields must be an array of names of members.",
  );
  expect(await messageOf({ ids: [], fields: ["title", "Price"] })).toMatch(
    /^fields\[1\] must be one of id, namespace, title, .*, price\.$/,
  );
  expect(await messageOf([])).toBe("The input must be a JSON object.");
  expect(await messageOf({ ids: [] }, "?country=USA")).toBe("country must be two letters.");
});

test("without pricing, prices are null and the response says so; without the catalog it is 503", async () => {
  const { interfere } = stack().services;
  const ids = ["full", "bare", "nope"];
  interfere.set("batchGetPrices", () => Promise.reject(unavailable("gone", 1000)));
  const { status, headers, json } = await batch({ ids });
  expect([status, headers["catalog-degraded"], headers["cache-control"]]).toEqual([
    200,
    "pricing",
    "no-store",
  ]);
  expect(json).toMatchObject({
    offers: [
      { id: "full", price: null },
      { id: "bare", price: null },
    ],
    unknown: ["nope"],
  });
  interfere.set("batchGetOffers", () => Promise.reject(unavailable("gone", 1000)));
  expect(await batch({ ids })).toMatchObject({ status: 503, json: { error: "UNAVAILABLE" } });
});
