import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { expect, test } from "vitest";
import { post } from "./support/http-client.ts";
import { savedQueryId } from "./support/search.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

test("a query that is too long to be saved is 400, and says how long it may be", async () => {
  const tooLong = {
    code: Code.InvalidArgument,
    reason: ErrorReason.QUERY_TOO_LONG,
    message: "upstream text",
    metadata: { maxBytes: "8192" },
  };
  stack().services.interfere.set("saveQuery", () => Promise.reject(new ServiceError(tooLong)));
  const { status, json } = await stack().ask("/search", post({ title: "x" }));
  expect(status).toBe(400);
  expect(json).toEqual({
    message: "The body is too long to be saved: its canonical form may have at most 8192 bytes.",
    error: "INVALID_ARGUMENT",
  });
});

test("a country in no region counts as US, a malformed one is refused", async () => {
  expect((await stack().ask(`/search/${savedQueryId}/count?country=XX`)).status).toBe(200);
  expect(stack().services.requestOf("countFacets")).toHaveProperty("region", "US");
  expect((await stack().ask("/search/unknown/count?country=XXX")).status).toBe(400);
});

test.for(["/search/unknown", "/search/unknown/count", "/search/v2/count"])(
  "%s: the query is not found",
  async (path) => {
    const { status, json } = await stack().ask(path);
    expect(status).toBe(404);
    expect(json).toEqual({ message: "Query not found", error: "NOT_FOUND" });
  },
);
