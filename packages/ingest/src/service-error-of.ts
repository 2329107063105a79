import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { DatabaseOverloadedError, DatabaseUnavailableError } from "@storefront/database";
import { ServiceError, unavailable } from "@storefront/rpc";

/** What callers are told of a failure of the database; undefined where that is for nobody to expect. */
export function serviceErrorOf(error: unknown): ServiceError | undefined {
  if (error instanceof DatabaseUnavailableError) return unavailable("database", error);
  if (error instanceof DatabaseOverloadedError) {
    return told(error, Code.ResourceExhausted, ErrorReason.DATABASE_OVERLOADED, "is overloaded");
  }
  return undefined;
}

function told(cause: unknown, code: Code, reason: ErrorReason, what: string): ServiceError {
  const metadata = { dependency: "database" };
  return new ServiceError({ code, reason, message: `the database ${what}`, metadata, cause });
}
