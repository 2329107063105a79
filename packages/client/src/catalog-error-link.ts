import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { catalogErrorOf } from "./catalog-error.ts";
import type { CatalogRouter } from "./catalog-router.ts";

/** Makes every failure of the links after it a CatalogError. */
export function catalogErrorLink(): TRPCLink<CatalogRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (result) => observer.next(result),
          error: (error) => observer.error(catalogErrorOf(error)),
          complete: () => observer.complete(),
        }),
      );
}
