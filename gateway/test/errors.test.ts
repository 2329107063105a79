import { expect, test } from "vitest";
import { operationsOf } from "../src/operations/operations-of.ts";
import { appRouter } from "../src/operations/router.ts";
import { post, postText } from "./support/http-client.ts";
import type { AskOptions } from "./support/http-client.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const operations = operationsOf(appRouter).map(({ operationId, method, path, input }) => ({
  name: operationId,
  method,
  path,
  members: Object.keys(input.shape),
  hasId: path.includes("{"),
}));

test.for(operations)(
  "$name: another method is 405 and names the allowed ones",
  async (operation) => {
    const path = operation.path.replaceAll(/\{\w+\}/g, "x");
    const { status, json, headers } = await stack().ask(path, { method: "PUT" });
    expect(status).toBe(405);
    expect(json).toHaveProperty("error", "METHOD_NOT_ALLOWED");
    expect(headers["allow"]).toContain(operation.method);
    expect(headers["cache-control"]).toBe("no-store");
  },
);

test.for(operations.filter(({ hasId }) => hasId))(
  "$name: malformed ids are 400, unknown ones 404",
  async ({ name, method, path }) => {
    const withId = (id: string) => path.replaceAll(/\{\w+\}/g, id);
    const hasBody = method !== "GET" && method !== "DELETE";
    const options = hasBody ? { ...post({}), method } : { method };
    for (const id of ["%zz", "%ff", "%00", "%0a", "x".repeat(257), "%ED%A0%80"]) {
      const { status, json } = await stack().ask(withId(id), options);
      expect({ id, status }).toEqual({ id, status: 400 });
      expect(json).toHaveProperty("error", "INVALID_ARGUMENT");
    }
    const unknown = await stack().ask(withId("%F0%9F%98%80".repeat(256)), options);
    // An unknown offer has no reviews, which is no error.
    const isEmpty = name === "listReviews";
    expect(unknown.status).toBe(isEmpty ? 200 : 404);
    expect(unknown.json).toHaveProperty(isEmpty ? "total" : "error", isEmpty ? 0 : "NOT_FOUND");
  },
);

test.for(operations.filter(({ method, members }) => method === "GET" && members.includes("page")))(
  "$name: page and limit are bounded",
  async ({ name, path }) => {
    const known = path.startsWith("/sandboxes")
      ? "room"
      : path.startsWith("/items")
        ? "item"
        : "full";
    const url = path.replace(/\{\w+\}/, known);
    const reach = ["searchEntries", "findOffers"].includes(name) ? 10_000 : 100_000;
    const lastPage = reach / 10 + 1;
    const refused = ["page=0", "page=-1", "page=1.5", "page=x", "page=1e1", "page=%2B1", "limit=0"];
    refused.push(
      "limit=x",
      "page=1&page=2",
      `page=${lastPage + 1}&limit=10`,
      "page=99999999999999999999",
    );
    for (const query of refused) {
      const { status, json } = await stack().ask(`${url}?${query}`);
      expect({ query, status }).toEqual({ query, status: 400 });
      expect(json).toMatchObject({
        error: "INVALID_ARGUMENT",
        message: expect.stringContaining(query.startsWith("limit") ? "limit" : "page"),
      });
    }
    for (const query of [
      `page=${lastPage}&limit=10`,
      "page=",
      "limit=&page=007",
      "x=1&x=2",
      "page",
    ]) {
      const { status } = await stack().ask(`${url}?${query}`);
      expect({ query, status }).toEqual({ query, status: 200 });
    }
  },
);

// A search uses the default region instead.
const strict = operations.filter(
  ({ path, members }) =>
    members.includes("country") && !/^\/(?:search|queries|webhooks)/.test(path),
);

test.for(strict)(
  "$name: the syntax is checked before the country, the country before the entity",
  async ({ method, path, members }) => {
    const url = path.replace(/\{\w+\}/, "unknown-entity");
    const body = { ids: ["unknown-entity"] };
    const ask = (query: string) =>
      stack().ask(`${url}?${query}`, method === "POST" ? post(body) : {});
    for (const country of ["u", "usa", "1a", "MX2", "%C3%BCs", "U%20"]) {
      const { status } = await ask(`country=${country}`);
      expect({ country, status }).toEqual({ country, status: 400 });
    }
    expect((await ask("country=US&country=DE")).status).toBe(400);
    const malformed = await ask("country=XX&locale=x");
    expect(malformed.status).toBe(members.includes("locale") ? 400 : 404);
    const unknown = await ask("country=XX");
    expect(unknown.status).toBe(404);
    expect(unknown.json).toEqual({ message: "Country not found", error: "NOT_FOUND" });
    expect(stack().services.calls).toEqual([]);
  },
);

test.for(["/nope", "/offer", "/offers/", "/offers//price", "/Offers/full", "/items/item/x", "//"])(
  "%s is an unknown path",
  async (path) => {
    const { status, json } = await stack().ask(path);
    expect(status).toBe(404);
    expect(json).toHaveProperty("error", "NOT_FOUND");
  },
);

test("a literal path takes precedence over a parameter", async () => {
  expect((await stack().ask("/offers/slugs")).status).toBe(405);
  expect((await stack().ask("/offers/slugs/price")).status).toBe(404);
});

const bodies: [why: string, options: AskOptions, status: number][] = [
  ["no body", { method: "POST" }, 400],
  ["an empty body", postText(""), 400],
  ["malformed JSON", postText('{"slugs":'), 400],
  ["invalid UTF-8", { ...postText(""), body: Buffer.from('{"slugs":["\xff"]}', "latin1") }, 400],
  ["an array", post([]), 400],
  ["null", post(null), 400],
  ["a missing member", post({}), 400],
  ["a wrong type", post({ slugs: "x" }), 400],
  ["a wrong element", post({ slugs: [1] }), 400],
  ["no elements", post({ slugs: [] }), 400],
  ["too many elements", post({ slugs: Array.from({ length: 1001 }, () => "x") }), 400],
  ["a long element", post({ slugs: ["x".repeat(513)] }), 400],
  ["NUL", post({ slugs: ["a\0"] }), 400],
  ["a lone surrogate", postText(String.raw`{"slugs":["\ud800"]}`), 400],
  ["as many characters as allowed", post({ slugs: ["\u{1f600}".repeat(512)] }), 200],
  ["unknown members", post({ slugs: ["x"], other: "a\0" }), 200],
  [
    "a JSON type with parameters",
    { ...post({ slugs: ["x"] }), headers: { "content-type": "Application/JSON; charset=UTF-8" } },
    200,
  ],
  ["no type", { method: "POST", body: '{"slugs":["x"]}' }, 415],
  [
    "a form",
    { ...postText("slugs=x"), headers: { "content-type": "application/x-www-form-urlencoded" } },
    415,
  ],
  [
    "another charset",
    { ...post({ slugs: ["x"] }), headers: { "content-type": "application/json; charset=latin1" } },
    415,
  ],
  [
    "a compressed body",
    {
      ...postText("x"),
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
    },
    415,
  ],
  ["256 KiB and a byte", postText(`{"slugs":["x"]}${" ".repeat(256 * 1024 - 14)}`), 413],
  [
    "256 KiB and a byte in chunks",
    {
      ...postText(`{"slugs":["x"]}${" ".repeat(256 * 1024 - 14)}`),
      headers: { "content-type": "application/json", "transfer-encoding": "chunked" },
    },
    413,
  ],
  ["256 KiB", postText(`{"slugs":["x"]}${" ".repeat(256 * 1024 - 15)}`), 200],
];

test.for(bodies)("a body that is or has %s", async ([, options, status]) => {
  const response = await stack().ask("/offers/slugs", options);
  expect(response.status).toBe(status);
  expect(response.headers["cache-control"]).toBe(status === 200 ? "no-cache" : "no-store");
});

test("messages name the member at fault", async () => {
  const { json } = await stack().ask("/offers/exists", post({ offers: ["a", "b", ""] }));
  expect(json).toHaveProperty("message", expect.stringContaining("offers[2]"));
});

test("an error body has exactly two members", async () => {
  const { json } = await stack().ask("/offers/nope");
  expect(json).toEqual({ message: "Offer not found", error: "NOT_FOUND" });
});

test("a defect is 500 without details, and logged with its cause under the request id", async () => {
  const { status, json, headers, text } = await stack().ask("/items/defect");
  expect(status).toBe(500);
  expect(json).toHaveProperty("error", "INTERNAL");
  expect(text).not.toMatch(/time|Range|date/i);
  const lines = () => stack().linesOf(headers["x-request-id"]);
  await expect.poll(lines).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    level: "error",
    requestId: headers["x-request-id"],
    err: { type: "RangeError", stack: expect.any(String) },
  });
});
