import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "@storefront/contracts/google/rpc/error_details";
import { ErrorReasonSchema } from "@storefront/contracts/type/v1/error_reason";
import type { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "./service-error.ts";

/** Who defines the reasons in `google.rpc.ErrorInfo`. */
export const errorDomain = "storefront";

/**
 * What a caller is told about a failure of a handler.
 *
 * A ServiceError becomes its code with `google.rpc.ErrorInfo` and, if members are at fault,
 * `google.rpc.BadRequest`. A ConnectError stays, without the headers of a call it came from.
 * Anything else is `internal` and says nothing of what happened; it stays as `cause` for the log.
 */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof ServiceError) return fromServiceError(error);
  if (error instanceof ConnectError) return error;
  return new ConnectError("internal error", Code.Internal, undefined, undefined, error);
}

function fromServiceError(error: ServiceError): ConnectError {
  const { code, message, metadata, fieldViolations, cause } = error;
  const info = {
    desc: ErrorInfoSchema,
    value: { reason: reasonName(error.reason), domain: errorDomain, metadata: { ...metadata } },
  };
  const details =
    fieldViolations.length === 0
      ? [info]
      : [info, { desc: BadRequestSchema, value: { fieldViolations: [...fieldViolations] } }];
  return new ConnectError(message, code, undefined, details, cause);
}

/** The wire's word for a reason: its name in the enum without the prefix. */
export function reasonName(reason: ErrorReason): string {
  return ErrorReasonSchema.value[reason]?.localName ?? "UNSPECIFIED";
}
