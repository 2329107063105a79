import { createCatalogClient } from "@storefront/client";
import type { CatalogClient, CatalogFetch, CatalogRouter } from "@storefront/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";

/** The gateway's procedures as options of TanStack Query. */
export const { TRPCProvider, useTRPC } = createTRPCContext<CatalogRouter>();

// The page shows what is true now: what the browser has kept is asked for again, by its tag.
const fetchCurrent: CatalogFetch = (url, request) => fetch(url, { ...request, cache: "no-cache" });

/**
 * A client of the gateway that the page came from. Each call is a request of its own: what is ready is
 * shown while a slow part is waited for.
 */
export function createClient(): CatalogClient {
  return createCatalogClient({
    url: location.origin,
    batch: false,
    // A failure is shown soon, and tried again while it is shown.
    retries: 1,
    fetch: fetchCurrent,
  });
}
