import { create } from "@bufbuild/protobuf";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import { expect, test } from "vitest";
import { at, records } from "./support/records.ts";
import { useStack } from "./support/start-stack.ts";

records.giveaways.push(
  create(GiveawaySchema, {
    id: "endless",
    offerId: "full",
    title: "Own title",
    startDate: at("2026-01-01T00:00:00Z"),
  }),
  create(GiveawaySchema, { id: "soon", offerId: "full", startDate: at("2098-01-01T00:00:00Z") }),
  create(GiveawaySchema, { id: "over", platform: "ios", endDate: at("2020-01-01T00:00:00Z") }),
);

const stack = useStack();

async function idsOf(query: string): Promise<unknown[]> {
  const { json } = await stack().ask(`/free-games${query}`);
  return (json as { elements: { id: unknown }[] }).elements.map(({ id }) => id);
}

test("giveaways of each state are listed, the current ones by default, on all or some platforms", async () => {
  expect(await idsOf("")).toEqual(["g1", "g2", "endless"]);
  expect(await idsOf("?state=current")).toEqual(["g1", "g2", "endless"]);
  expect(await idsOf("?state=upcoming")).toEqual(["soon"]);
  expect(await idsOf("?state=past")).toEqual(["over"]);
  expect(await idsOf("?platform=desktop")).toEqual(["endless"]);
  expect(await idsOf("?platform=android,%20ios")).toEqual(["g1", "g2"]);
  const repeated = Array.from({ length: 20 }, () => "ios").join(",");
  expect(await idsOf(`?platform=${repeated}`)).toEqual(["g2"]);
});

test("each giveaway has its offer in the locale with its price, null where it is unknown", async () => {
  const { json } = await stack().ask("/free-games?locale=de-DE&country=US");
  expect(json).toMatchObject({
    elements: [
      { id: "g1", title: "Voll", offer: { id: "full", title: "Voll", price: { region: "US" } } },
      { id: "g2", title: "Gone", offer: null },
      { id: "endless", title: "Own title", platform: null, endDate: null, offer: { id: "full" } },
    ],
    page: 1,
    limit: 20,
    total: 3,
  });
});

test("a page has at most 100 giveaways, and the total is that of all pages", async () => {
  const { json } = await stack().ask("/free-games?page=2&limit=2");
  expect(json).toMatchObject({ elements: [{ id: "endless" }], page: 2, limit: 2, total: 3 });
  const capped = await stack().ask("/free-games?limit=1000");
  expect(capped.json).toMatchObject({ limit: 100 });
});

test.each([
  ["?state=gone", "state must be one of current, upcoming, past."],
  ["?platform=ios,windows", "platform must be some of desktop, android, ios, separated by commas."],
])("%s is refused with the rule", async (query, message) => {
  const { status, json } = await stack().ask(`/free-games${query}`);
  expect([status, json]).toEqual([400, { message, error: "INVALID_ARGUMENT" }]);
});

test("a country of no region is unknown", async () => {
  expect((await stack().ask("/free-games?country=XX")).status).toBe(404);
});
