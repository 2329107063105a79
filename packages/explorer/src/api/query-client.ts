import { degradedOf } from "@storefront/client";
import { QueryClient, replaceEqualDeep } from "@tanstack/react-query";
import type { QueryState } from "@tanstack/react-query";
import { isPassing } from "./failure.ts";

/** How long an answer counts as fresh, in milliseconds. */
const freshMs = 30_000;

/** How long until a failed call is tried again, in milliseconds. */
const retryMs = 4000;

/** A cache of answers. A call that fails is shown as such, and tried again while shown. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        // The client has tried again already.
        retry: false,
        refetchOnWindowFocus: false,
        refetchInterval: ({ state }) => refetchAfterMs(state),
        // Of a copy it would not be known whether a part is missing.
        structuralSharing: (before, answer) =>
          isWhole(answer) ? replaceEqualDeep(before, answer) : answer,
      },
    },
  });
}

/** When a call is made again that failed, or whose answer lacks a part, such as prices; false for never. */
export function refetchAfterMs({
  status,
  data,
  error,
}: Pick<QueryState, "status" | "data" | "error">): number | false {
  if (status === "error") return isPassing(error) ? retryMs : false;
  return isWhole(data) ? false : retryMs;
}

function isWhole(answer: unknown): boolean {
  return typeof answer !== "object" || answer === null || degradedOf(answer).length === 0;
}
