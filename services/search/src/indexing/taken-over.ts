import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";

/** Why vectors that were being made, or a whole generation, are given up. */
export function takenOver(): ServiceError {
  return new ServiceError({
    code: Code.Aborted,
    reason: ErrorReason.REINDEX_UNDER_WAY,
    message: "another reindex is under way",
  });
}
