import { expect, test } from "vitest";
import { sortFields } from "../src/records/offer-query.ts";
import { post } from "./support/http-client.ts";
import { meaningPath, searchPath } from "./support/search.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const refused: [member: string, body: object][] = [
  ["title", { title: 5 }],
  ["title", { title: null }],
  ["title", { title: "x".repeat(513) }],
  ["title", { title: "a\0" }],
  ["title", { title: "\ud800" }],
  ["offerType", { offerType: 5 }],
  ["offerType", { offerType: {} }],
  ["offerType", { offerType: ["DLC", 5] }],
  ["offerType", { offerType: Array.from({ length: 101 }, String) }],
  ["offerType", { offerType: "\0" }],
  ["tags", { tags: "t1" }],
  ["tags[1]", { tags: ["t1", 2] }],
  ["tags", { tags: Array.from({ length: 101 }, String) }],
  ["technologies", { technologies: "Unity" }],
  ["technologies[0]", { technologies: [""] }],
  ["technologies[1]", { technologies: ["Unity", " \t"] }],
  ["technologies[0]", { technologies: ["\0"] }],
  ["technologies[0]", { technologies: [null] }],
  ["categories", { categories: {} }],
  ["customAttributes[0]", { customAttributes: [true] }],
  ["seller", { seller: ["s1"] }],
  ["developerDisplayName", { developerDisplayName: 1 }],
  ["publisherDisplayName", { publisherDisplayName: {} }],
  ["refundType", { refundType: false }],
  ["isCodeRedemptionOnly", { isCodeRedemptionOnly: "true" }],
  ["price", { price: 5 }],
  ["price", { price: [1, 2] }],
  ["price.min", { price: { min: "5" } }],
  ["price.max", { price: { max: 1.5 } }],
  ["price.max", { price: { max: 2 ** 53 } }],
  ["onSale", { onSale: 1 }],
  ["isLowestPrice", { isLowestPrice: "" }],
  ["lowestPriceOf", { lowestPriceOf: "days60" }],
  ["excludeBlockchain", { excludeBlockchain: null }],
  ["pastGiveaways", { pastGiveaways: [] }],
  ["sortBy", { sortBy: "toString" }],
  ["sortBy", { sortBy: ["price"] }],
  ["sortDir", { sortDir: "ASC" }],
  ["facetQuery", { facetQuery: "dev" }],
  ["facetQuery.facet", { facetQuery: { facet: "price_stats", text: "5" } }],
  ["facetQuery.text", { facetQuery: { facet: "tags", text: " " } }],
  ["facetQuery.text", { facetQuery: { facet: "tags", text: "x".repeat(101) } }],
  ["page", { page: 0 }],
  ["page", { page: "1" }],
  ["page", { page: 1.5 }],
  ["page", { page: 1002 }],
  ["page", { page: 102, limit: 100 }],
  ["page", { page: Number.MAX_SAFE_INTEGER }],
  ["limit", { limit: 0 }],
  ["limit", { limit: 101 }],
  ["limit", { limit: "10" }],
  ["limit", { limit: 2.5 }],
];

/** The searches that have the member. */
function pathsWith(member: string): string[] {
  if (member.startsWith("facetQuery")) return [searchPath];
  const isFilter = !/^(sort|page|limit)/u.test(member);
  return [searchPath, "/search", ...(isFilter ? [meaningPath] : [])];
}

test.for(refused)("%s is named when a search refuses %j", async ([member, body]) => {
  for (const path of pathsWith(member)) {
    const { status, json, headers } = await stack().ask(path, post({ query: "x", ...body }));
    expect({ path, status }).toEqual({ path, status: 400 });
    const { error, message } = json as { error: string; message: string };
    expect(error).toBe("INVALID_ARGUMENT");
    expect(message.slice(0, message.indexOf(" must "))).toBe(member);
    expect(headers["cache-control"]).toBe("no-store");
  }
  expect(stack().services.calls).toEqual([]);
});

test("the refusal of a value outside an enumeration lists the allowed values", async () => {
  const by = await stack().ask(searchPath, post({ sortBy: "popularity" }));
  for (const field of sortFields) {
    expect(by.json).toHaveProperty("message", expect.stringContaining(field));
  }
  const direction = await stack().ask(searchPath, post({ sortDir: "up" }));
  expect(direction.json).toHaveProperty("message", expect.stringContaining("asc, desc"));
});

test.for([searchPath, "/search", meaningPath])(
  "%s refuses malformed parameters and bodies that are no objects",
  async (path) => {
    const body = path === meaningPath ? { query: "x" } : {};
    for (const query of [
      "country=USA",
      "country=1",
      "country=US&country=US",
      "locale=d",
      "locale=de_DE",
      "country=%zz",
    ]) {
      const { status, json } = await stack().ask(`${path}?${query}`, post(body));
      expect({ query, status }).toEqual({ query, status: 400 });
      expect(json).toHaveProperty("error", "INVALID_ARGUMENT");
    }
    for (const wrong of [[], null, "x", 5]) {
      expect((await stack().ask(path, post(wrong))).status).toBe(400);
    }
    const empty = await stack().ask(`${path}?country=&locale=&page=0&x=1&x=1`, post(body));
    expect(empty.status).toBe(200);
    expect(stack().services.calls.every(({ request }) => request["region"] !== "")).toBe(true);
  },
);
