import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { expect, test } from "vitest";
import { post } from "./support/http-client.ts";
import { meaningPath, searchPath } from "./support/search.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

test("matches by meaning keep their order, omit deleted offers, and are never stored", async () => {
  const { status, json, headers } = await stack().ask(
    `${meaningPath}?country=DE&locale=de-DE`,
    post({ query: "  calm \u{1f30a} ", topK: 50 }),
  );
  expect(status).toBe(200);
  expect(json).toMatchObject({
    query: "calm \u{1f30a}",
    count: 2,
    matches: [
      { score: 0.5, offer: { id: "full", title: "Voll", price: { region: "EURO" } } },
      { score: 0.25, offer: { id: "bare", price: null } },
    ],
  });
  expect(headers["cache-control"]).toBe("no-store");
  expect(stack().services.requestOf("searchOffersByMeaning")).toMatchObject({
    text: "calm \u{1f30a}",
    pageSize: 50,
  });
});

test("a search by meaning applies the filters of a search, in the country's region", async () => {
  const filters = {
    title: "moon",
    offerType: "DLC",
    tags: ["t1"],
    price: { max: 5 },
    onSale: true,
  };
  await stack().ask(searchPath, post(filters));
  const body = { ...filters, query: "calm", sortBy: "price", page: 2 };
  expect((await stack().ask(`${meaningPath}?country=DE`, post(body))).status).toBe(200);
  const request = stack().services.requestOf("searchOffersByMeaning");
  expect(request).toMatchObject({ text: "calm", pageSize: 10, region: "EURO" });
  expect(request?.["query"]).toEqual(stack().services.requestOf("searchOffers")?.["query"]);
  stack().services.calls.length = 0;
  await stack().ask(meaningPath, post({ query: "calm" }));
  expect(stack().services.requestOf("searchOffersByMeaning")).not.toHaveProperty(
    "query",
    expect.anything(),
  );
});

test("a search by meaning is refused if its filters were not applied", async () => {
  const filtered = await stack().ask(
    `${meaningPath}?country=JP`,
    post({ query: "calm", onSale: true }),
  );
  expect(filtered.status).toBe(503);
  expect(filtered.json).toHaveProperty("error", "UNAVAILABLE");
  const all = await stack().ask(`${meaningPath}?country=JP`, post({ query: "calm" }));
  expect(all.status).toBe(200);
});

test("a search by meaning counts over its matches as a search does, on request", async () => {
  const body = { query: "calm", aggregations: true };
  const { json } = await stack().ask(meaningPath, post(body));
  const searched = await stack().ask(searchPath, post({}));
  const { aggregations } = searched.json as { aggregations: unknown };
  expect(json).toMatchObject({ count: 2, aggregations });
  const request = stack().services.requestOf("searchOffersByMeaning");
  expect(request?.["aggregations"]).toHaveLength(7);
  const plain = await stack().ask(meaningPath, post({ query: "calm" }));
  expect(Object.keys(plain.json as object)).toEqual(["query", "count", "matches"]);
  const ofOlder = await stack().ask(`${meaningPath}?country=JP`, post(body));
  expect(ofOlder.status).toBe(503);
});

test.for([
  ["query", {}],
  ["query", { query: " \n" }],
  ["query", { query: 5 }],
  ["query", { query: "x".repeat(501) }],
  ["query", { query: "a\0" }],
  ["query", { query: "\ud800" }],
  ["topK", { query: "x", topK: 0 }],
  ["topK", { query: "x", topK: 51 }],
  ["topK", { query: "x", topK: "5" }],
  ["topK", { query: "x", topK: 1.5 }],
  ["aggregations", { query: "x", aggregations: "yes" }],
] as const)("%s is named when a search by meaning refuses %j", async ([member, body]) => {
  const { status, json } = await stack().ask(meaningPath, post(body));
  expect(status).toBe(400);
  const { message } = json as { message: string };
  expect(message.slice(0, message.indexOf(" must "))).toBe(member);
});

test("500 characters after trimming are accepted", async () => {
  const query = ` ${"\u{1f600}".repeat(500)} `;
  expect((await stack().ask(meaningPath, post({ query }))).status).toBe(200);
});

const embeddingNotConfigured = new ServiceError({
  code: Code.FailedPrecondition,
  reason: ErrorReason.EMBEDDING_NOT_CONFIGURED,
  message: "upstream text",
});
const embeddingFailed = new ServiceError({
  code: Code.Unavailable,
  reason: ErrorReason.EMBEDDING_FAILED,
  message: "upstream text",
});

const failures: [what: string, error: Error, status: number, code: string][] = [
  ["not configured", embeddingNotConfigured, 503, "UNAVAILABLE"],
  ["failing", embeddingFailed, 502, "UPSTREAM_FAILED"],
  [
    "out of step",
    new ConnectError("upstream text", Code.FailedPrecondition),
    502,
    "UPSTREAM_FAILED",
  ],
];

test.for(failures)(
  "a search by meaning that is %s is reported as such",
  async ([, error, status, code]) => {
    stack().services.interfere.set("searchOffersByMeaning", () => Promise.reject(error));
    const response = await stack().ask(meaningPath, post({ query: "x" }));
    expect(response.status).toBe(status);
    expect(response.json).toHaveProperty("error", code);
    expect(response.text).not.toContain("upstream text");
    expect(response.headers["retry-after"] !== undefined).toBe(status === 503);
    expect(response.headers["cache-control"]).toBe("no-store");
  },
);
