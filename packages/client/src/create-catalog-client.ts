import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
} from "@trpc/client";
import type { HTTPBatchLinkOptions, Operation, TRPCClient, TRPCLink } from "@trpc/client";
import type { AnyTRPCClientTypes } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { addressOf, headersOf } from "./catalog-client-options.ts";
import type { CatalogClientOptions } from "./catalog-client-options.ts";
import { catalogErrorOf } from "./catalog-error.ts";
import { UnreadableResponse } from "./catalog-fetch.ts";
import type { CatalogFetch } from "./catalog-fetch.ts";
import type { CatalogRouter } from "./catalog-router.ts";
import { degradedLink } from "./degraded.ts";
import { retryLink } from "./retry-link.ts";

/** A typed client: `client.<domain>.<operation>.query(input, { signal })`, or `.mutate` for writes. */
export type CatalogClient = TRPCClient<CatalogRouter>;

// The gateway accepts no more calls in one request.
const batchMax = 100;
// Proxies reject request lines longer than 8 KiB, some longer than 4.
const urlMaxLength = 4000;
// A longer input leaves no room for others in a URL, and is sent alone in a body.
const inputMaxLength = 2000;

/**
 * A client of the gateway's tRPC surface. Calls made in the same tick are one request, unless `batch` is
 * false, and a call that fails rejects with a `CatalogError`.
 */
export function createCatalogClient(options: CatalogClientOptions): CatalogClient {
  const { timeoutMs = 10_000, retries = 2, batch = true } = options;
  const http = {
    url: `${addressOf(options.url)}/trpc`,
    headers: () => headersOf(options.headers),
    fetch: fetchWithin(options.fetch ?? globalThis.fetch, timeoutMs),
  };
  return createTRPCClient<CatalogRouter>({
    links: [
      degradedLink(),
      retryLink(retries),
      catalogErrorLink(),
      splitLink({
        condition: isSubscription,
        true: httpSubscriptionLink({ url: http.url }),
        false: splitLink({
          condition: ({ input }) => isLong(input),
          true: httpLink({ ...http, methodOverride: "POST" }),
          false: batch
            ? httpBatchLink({ ...http, maxItems: batchMax, maxURLLength: urlMaxLength })
            : httpLink(http),
        }),
      }),
    ],
  });
}

/** @throws where a subscription would otherwise fail as if the gateway were unreachable */
function isSubscription({ type }: Operation): boolean {
  if (type !== "subscription") return false;
  const { EventSource }: { EventSource?: unknown } = globalThis;
  if (EventSource !== undefined) return true;
  throw new TypeError(
    "This runtime has no EventSource, which subscriptions need; watchEntries and the like need none.",
  );
}

function isLong(input: unknown): boolean {
  const text = JSON.stringify(input) ?? "";
  return new TextEncoder().encode(text).length > inputMaxLength;
}

type LinkFetch = NonNullable<HTTPBatchLinkOptions<AnyTRPCClientTypes>["fetch"]>;

function fetchWithin(send: CatalogFetch, timeoutMs: number): LinkFetch {
  return async (input, { body, headers, method, signal } = {}) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await send(String(input), {
      ...(typeof body === "string" && { body }),
      ...(headers && { headers: Object.fromEntries(new Headers(headers)) }),
      ...(method && { method }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { ok, status, headers: responseHeaders } = response;
    const json = () =>
      response.json().catch((cause: unknown) => {
        throw cause instanceof SyntaxError ? new UnreadableResponse(response, cause) : cause;
      });
    return { ok, status, headers: responseHeaders, json };
  };
}

/** Makes every failure of the links after it a CatalogError. */
function catalogErrorLink(): TRPCLink<CatalogRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (result) => observer.next(result),
          error: (error) => observer.error(catalogErrorOf(error)),
          complete: () => observer.complete(),
        }),
      );
}
