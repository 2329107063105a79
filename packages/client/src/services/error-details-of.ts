import { ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "@storefront/contracts/google/rpc/error_details";
import { ErrorReason, ErrorReasonSchema } from "@storefront/contracts/type/v1/error_reason";

/** Details of a call that a service rejected. */
export interface ErrorDetails {
  /** `UNSPECIFIED` for a reason that this version does not know. */
  reason: ErrorReason;
  /** Details of the reason, such as `offerId`. */
  metadata: Readonly<Record<string, string>>;
  /** Members of the request that break a rule, for `INVALID_FIELD`. */
  fieldViolations: readonly { field: string; description: string }[];
}

// The domain of the reasons.
const errorDomain = "storefront";

const reasons = new Map<string, ErrorReason>(
  Object.values(ErrorReason).map((reason) => [
    ErrorReasonSchema.value[reason]?.localName ?? "",
    reason,
  ]),
);

/** The details of a failed call; undefined when the error has none. */
export function errorDetailsOf(error: unknown): ErrorDetails | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === errorDomain);
  if (info === undefined) return undefined;
  const fieldViolations = error
    .findDetails(BadRequestSchema)
    .flatMap((request) =>
      request.fieldViolations.map(({ field, description }) => ({ field, description })),
    );
  return {
    reason: reasons.get(info.reason) ?? ErrorReason.UNSPECIFIED,
    metadata: info.metadata,
    fieldViolations,
  };
}
