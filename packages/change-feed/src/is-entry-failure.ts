import { Code } from "@connectrpc/connect";
import { ServiceError } from "@storefront/rpc";

/**
 * SQLSTATE classes that speak of the values of a statement: cardinality, data, integrity, and limits such as
 * that of an index's entry. Any other class speaks of the server, its locks or its schema.
 */
const valueClasses = new Set(["21", "22", "23", "54"]);

/** Codes of calls that say the same however often they are tried. */
const refusals = new Set([Code.InvalidArgument, Code.OutOfRange, Code.FailedPrecondition]);

/** What JavaScript, and code that meets a record it cannot read, throws. */
const plainErrors = new Set(["Error", "TypeError", "RangeError", "SyntaxError"]);

/**
 * Whether an error of applying entries is that of an entry, and comes again however often it is tried. In
 * doubt it is not: an entry is then tried for ever, which loses nothing. So it is while a database or
 * an engine is away, overloaded, locked, or not migrated yet.
 */
export function isEntryFailure(error: unknown): boolean {
  if (error instanceof ServiceError) return refusals.has(error.code);
  if (!(error instanceof Error)) return false;
  if ("code" in error) {
    const isSqlState = typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code);
    return isSqlState && "severity" in error && valueClasses.has(String(error.code).slice(0, 2));
  }
  // What another error is the cause of, such as a failed fetch, is as passing as that one.
  return plainErrors.has(error.name) && (error.cause === undefined || isEntryFailure(error.cause));
}
