import { CatalogError } from "./catalog-error.ts";

/** Number of retries of React Query after other errors, as by its own default. */
const otherRetries = 3;

/**
 * The `retry` of React Query. Errors of the catalogue are not retried: the client has already retried temporary ones,
 * and a retry does not help after the others.
 */
export function retryCatalogErrors(failureCount: number, error: unknown): boolean {
  return !(error instanceof CatalogError) && failureCount < otherRetries;
}
