import { CatalogError, createCatalogClient } from "@storefront/client";
import { expect, it } from "vitest";
import { failureOf, isNotFound, isPassing } from "./failure.ts";
import { refetchAfterMs } from "./trpc.ts";

const clientOf = (fetch: () => Promise<Response>) =>
  createCatalogClient({ url: "http://gateway.invalid", batch: false, retries: 0, fetch });

/** The error of a call that gets this response. */
async function failCall(fetch: () => Promise<Response>): Promise<CatalogError> {
  const call = clientOf(fetch).pricing.listRegions.query();
  const error = await call.catch((reason: unknown) => reason);
  if (!(error instanceof CatalogError)) throw new Error("the call did not fail");
  return error;
}

const limited = { message: "Too many requests.", error: "RATE_LIMITED" };

const procedureError = (httpStatus: number, error: string) => ({
  error: { message: "It failed.", code: -32_000, data: { httpStatus, error } },
});

it.each([
  [429, limited, "Prices: too many requests", false],
  [503, procedureError(503, "UNAVAILABLE"), "Prices: not available right now", true],
  [503, { message: "Closing.", error: "UNAVAILABLE" }, "Prices: not available right now", true],
  [500, procedureError(500, "INTERNAL"), "Prices: cannot be shown", true],
  [404, procedureError(404, "NOT_FOUND"), "Prices: cannot be shown", false],
])("describes %i with %j", async (status, body, title, isRetried) => {
  const error = await failCall(() => Promise.resolve(Response.json(body, { status })));
  expect(failureOf(error, "Prices").title).toBe(title);
  expect(isPassing(error)).toBe(isRetried);
  expect(isNotFound(error)).toBe(status === 404);
  const after = refetchAfterMs({ status: "error", data: undefined, error });
  expect(after !== false).toBe(isRetried);
});

it.each([
  ["complete", {}, false],
  ["without prices", { "catalog-degraded": "pricing" }, true],
])("refetches an incomplete response only: %s", async (_what, headers, isRefetched) => {
  const response = Response.json({ result: { data: [] } }, { headers });
  const data = await clientOf(() => Promise.resolve(response)).pricing.listRegions.query();
  const after = refetchAfterMs({ status: "success", data, error: null });
  expect(after !== false).toBe(isRefetched);
});

it("describes a gateway that is unreachable", async () => {
  const error = await failCall(() => Promise.reject(new TypeError("fetch failed")));
  expect(failureOf(error, "Prices").title).toBe("The gateway cannot be reached");
  expect(isPassing(error)).toBe(true);
});
