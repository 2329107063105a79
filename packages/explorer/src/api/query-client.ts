import { QueryClient } from "@tanstack/react-query";
import { isPassing } from "./failure.ts";

/** How long an answer counts as fresh, in milliseconds. */
const freshMs = 30_000;

/** How long until a failed call is tried again, in milliseconds. */
const retryMs = 4000;

/** A cache of answers. A call that fails is shown as such at once, and tried again while shown. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: false,
        refetchOnWindowFocus: false,
        refetchInterval: ({ state }) =>
          state.status === "error" && isPassing(state.error) ? retryMs : false,
      },
    },
  });
}
