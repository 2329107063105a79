import type { CatalogRouter } from "@storefront/client";
import { createTRPCClient, httpBatchStreamLink, isTRPCClientError } from "@trpc/client";
import type { TRPCClientError } from "@trpc/client";
import { expect, it } from "vitest";
import { failureOf, isPassing } from "./failure.ts";

/** The error of a call that is answered so. */
async function failCall(fetch: () => Promise<Response>): Promise<TRPCClientError<CatalogRouter>> {
  const url = "http://gateway.invalid/trpc";
  const client = createTRPCClient<CatalogRouter>({ links: [httpBatchStreamLink({ url, fetch })] });
  const error = await client.pricing.listRegions.query().catch((reason: unknown) => reason);
  if (!isTRPCClientError<CatalogRouter>(error)) throw new Error("the call did not fail");
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
])("tells what %i with %j is", async (status, body, title, isTriedAgain) => {
  const error = await failCall(() => Promise.resolve(Response.json(body, { status })));
  expect(failureOf(error, "Prices").title).toBe(title);
  expect(isPassing(error)).toBe(isTriedAgain);
});

it("tells a gateway that cannot be reached", async () => {
  const error = await failCall(() => Promise.reject(new TypeError("fetch failed")));
  expect(failureOf(error, "Prices").title).toBe("The gateway cannot be reached");
  expect(isPassing(error)).toBe(true);
});
