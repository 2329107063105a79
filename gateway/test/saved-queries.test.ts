import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { expect, test } from "vitest";
import { post } from "./support/http-client.ts";
import { deprecatedHeaders, savedQueryId } from "./support/search.ts";
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

test("a query is saved once, under the same id as by a search", async () => {
  const ask = (body: object) => stack().ask("/queries", post(body));
  const created = await ask({ title: "new" });
  expect([created.status, created.json]).toEqual([201, { id: savedQueryId }]);
  const repeated = await ask({ title: "new" });
  expect([repeated.status, repeated.json]).toEqual([200, { id: savedQueryId }]);
  const search = await stack().ask("/search", post({ title: "new", limit: 3 }));
  expect(search.json).toMatchObject({ query: savedQueryId });
  expect(search.headers).toMatchObject(deprecatedHeaders);
  const { json } = await stack().ask(`/queries/${savedQueryId}`);
  expect(json).toEqual({ id: savedQueryId, query: { title: "new" } });
  const legacy = await stack().ask(`/search/${savedQueryId}`);
  expect(legacy.json).toEqual({ title: "new" });
  expect(legacy.headers).toMatchObject(deprecatedHeaders);
});

test.for(["page", "limit", "cursor"])("a query with %s is refused", async (member) => {
  const { status, json } = await stack().ask("/queries", post({ title: "x", [member]: 1 }));
  expect(status).toBe(400);
  expect(json).toMatchObject({ message: expect.stringContaining(`${member} must not be given`) });
});

test("a query is counted under both addresses alike", async () => {
  const { json, headers } = await stack().ask(`/queries/${savedQueryId}/count`);
  const contract = await stack().ask(`/search/${savedQueryId}/count`);
  expect(json).toEqual(contract.json);
  expect([headers["deprecation"], contract.headers["deprecation"]]).toEqual([undefined, undefined]);
});
