import { degradedOf } from "@storefront/client";
import { QueryClient, replaceEqualDeep } from "@tanstack/react-query";
import type { QueryState } from "@tanstack/react-query";
import { isPassing } from "./failure.ts";

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
        // A copy would lose whether a part is missing.
        structuralSharing: (before, result) =>
          isWhole(result) ? replaceEqualDeep(before, result) : result,
      },
    },
  });
}

/** When a call that failed, or whose result is degraded, is repeated; false for never. */
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
