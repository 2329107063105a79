import { CatalogError } from "./catalog-error.ts";

/** How often React Query retries what failed for another reason, as by its own default. */
const otherRetries = 3;

/**
 * The `retry` of React Query. What the catalogue refused is not retried: the client has already retried what may pass, and
 * a retry does not help after the rest.
 */
export function retryCatalogErrors(failureCount: number, error: unknown): boolean {
  return !(error instanceof CatalogError) && failureCount < otherRetries;
}
