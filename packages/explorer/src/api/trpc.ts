import type { CatalogRouter } from "@storefront/client";
import { createTRPCClient, httpBatchStreamLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";

/** The gateway's procedures as options of TanStack Query. */
export const { TRPCProvider, useTRPC } = createTRPCContext<CatalogRouter>();

// As many as the gateway joins.
const batchMax = 100;

/**
 * A client of the gateway that the page came from; calls of one moment go as one request. Answers are
 * streamed, unlike those of `createCatalogClient`: what is ready is shown while a slow part is waited for.
 */
export function createClient() {
  return createTRPCClient<CatalogRouter>({
    links: [
      httpBatchStreamLink({
        url: "/trpc",
        maxItems: batchMax,
        // Prices of an offer in all regions do not fit into one address.
        methodOverride: "POST",
      }),
    ],
  });
}
