import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { isCatalogResponse } from "./catalog-fetch.ts";
import type { CatalogRouter } from "./catalog-router.ts";

const servicesOf = new WeakMap<object, readonly string[]>();

/**
 * The services whose part may be missing from a result, because they failed or were too slow, such as
 * prices in a list; empty for a complete result. Calls of one request share the list.
 *
 * @param result the object that a call resolved to, not a copy
 */
export function degradedOf(result: object): readonly string[] {
  return servicesOf.get(result) ?? [];
}

/** Records which results are incomplete. */
export function degradedLink(): TRPCLink<CatalogRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next(envelope) {
            const { result, context } = envelope;
            const data: unknown = "data" in result ? result.data : undefined;
            const response = context?.["response"];
            const services = isCatalogResponse(response)
              ? response.headers.get("catalog-degraded")
              : null;
            if (typeof data === "object" && data !== null && services !== null) {
              servicesOf.set(data, services.split(/, */));
            }
            observer.next(envelope);
          },
          error: (error) => observer.error(error),
          complete: () => observer.complete(),
        }),
      );
}
