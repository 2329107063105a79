import { TRPCClientError } from "@trpc/client";
import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { CatalogError } from "./catalog-error.ts";
import type { CatalogRouter } from "./catalog-router.ts";

/** Makes every failure of the links after it a CatalogError. */
export function catalogErrorLink(): TRPCLink<CatalogRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (result) => observer.next(result),
          error: (error) => observer.error(new CatalogError(TRPCClientError.from(error))),
          complete: () => observer.complete(),
        }),
      );
}
