import { createCatalogClient } from "@storefront/client";
import type { CatalogClient, CatalogFetch, CatalogRouter } from "@storefront/client";
import { useQuery } from "@tanstack/react-query";
import { createTRPCContext } from "@trpc/tanstack-react-query";

/** The gateway's procedures as options of TanStack Query. */
export const { TRPCProvider, useTRPC } = createTRPCContext<CatalogRouter>();

// The page shows the present state: what the browser has cached is revalidated by its entity tag.
const fetchCurrent: CatalogFetch = (url, request) => fetch(url, { ...request, cache: "no-cache" });

/** The pricing regions, which do not change. */
export function useRegions() {
  const trpc = useTRPC();
  return useQuery(trpc.pricing.listRegions.queryOptions(undefined, { staleTime: Infinity }));
}

/**
 * A client of the gateway that served the page. Each call is a request of its own, so that no part waits
 * for a slower one.
 */
export function createClient(): CatalogClient {
  return createCatalogClient({
    url: location.origin,
    batch: false,
    // A failure is shown soon, and retried while it is shown.
    retries: 1,
    fetch: fetchCurrent,
  });
}
