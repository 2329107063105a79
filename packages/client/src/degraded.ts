import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { isCatalogResponse } from "./catalog-fetch.ts";
import type { CatalogRouter } from "./catalog-router.ts";

const servicesOf = new WeakMap<object, readonly string[]>();

/**
 * The services whose part may be missing from an answer, because they failed or were too slow, such as
 * prices in a list; empty for a whole answer. Calls that travel as one request share what is told.
 *
 * @param answer as a call has resolved to it, no copy
 */
export function degradedOf(answer: object): readonly string[] {
  return servicesOf.get(answer) ?? [];
}

/** Remembers which answers are not whole. */
export function degradedLink(): TRPCLink<CatalogRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next(envelope) {
            const { result, context } = envelope;
            const answer: unknown = "data" in result ? result.data : undefined;
            const response = context?.["response"];
            const services = isCatalogResponse(response)
              ? response.headers.get("catalog-degraded")
              : null;
            if (typeof answer === "object" && answer !== null && services !== null) {
              servicesOf.set(answer, services.split(/, */));
            }
            observer.next(envelope);
          },
          error: (error) => observer.error(error),
          complete: () => observer.complete(),
        }),
      );
}
