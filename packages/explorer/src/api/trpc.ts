import { createCatalogClient, degradedOf } from "@storefront/client";
import type { CatalogClient, CatalogFetch, CatalogRouter } from "@storefront/client";
import { useQuery, QueryClient, replaceEqualDeep } from "@tanstack/react-query";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { QueryState } from "@tanstack/react-query";
import { isPassing } from "./failure.ts";

/** The gateway's procedures as options of TanStack Query. */
export const { TRPCProvider, useTRPC } = createTRPCContext<CatalogRouter>();

// The page shows the current state: the browser revalidates cached responses by entity tag.
const fetchCurrent: CatalogFetch = (url, request) => fetch(url, { ...request, cache: "no-cache" });

/** The pricing regions. */
export function useRegions() {
  const trpc = useTRPC();
  return useQuery(trpc.pricing.listRegions.queryOptions());
}

/**
 * A client of the gateway that served the page. Each call is a separate request, so that no part waits for
 * a slower one.
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

/** How long a result is fresh, in milliseconds. */
const freshMs = 30_000;

/** How long until a failed call is retried, in milliseconds. */
const retryMs = 4000;

/** A cache of results. A failed call is retried while it is shown. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        // The client has retried already.
        retry: false,
        refetchOnWindowFocus: false,
        refetchInterval: ({ state }) => refetchAfterMs(state),
        // A copy would lose the information whether a part is missing.
        structuralSharing: (before, result) =>
          isWhole(result) ? replaceEqualDeep(before, result) : result,
      },
    },
  });
}

/** Delay until a call that failed, or whose result is degraded, is repeated; false for never. */
export function refetchAfterMs({
  status,
  data,
  error,
}: Pick<QueryState, "status" | "data" | "error">): number | false {
  if (status === "error") return isPassing(error) ? retryMs : false;
  return isWhole(data) ? false : retryMs;
}

function isWhole(result: unknown): boolean {
  return typeof result !== "object" || result === null || degradedOf(result).length === 0;
}
