import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";

/** This entry, or one before it, was undone with a history that the catalog has lost. */
export function entryUndone(entryId: string): ServiceError {
  return new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.ENTRY_UNDONE,
    message: "entries up to this one were undone: begin anew without it",
    metadata: { entryId },
  });
}
