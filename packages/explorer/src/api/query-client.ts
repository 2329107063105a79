import { QueryClient } from "@tanstack/react-query";

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

// Answers about the request itself (400, 404) stay what they are.
function isPassing(error: unknown): boolean {
  const data = (error as { data?: { httpStatus?: number } | null }).data;
  return (data?.httpStatus ?? 503) >= 500;
}
