import { ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "@storefront/contracts/google/rpc/error_details";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { FieldViolation } from "./service-error.ts";
import { errorDomain, reasonName } from "./to-connect-error.ts";

/** Why a service refused a call. */
export interface ErrorInfo {
  /** `UNSPECIFIED` for a reason that this build does not know. */
  reason: ErrorReason;
  metadata: Readonly<Record<string, string>>;
}

const reasonsByName = new Map(
  Object.values(ErrorReason).map((reason): [string, ErrorReason] => [reasonName(reason), reason]),
);

/** The reason a called service gave; undefined if the error carries none. */
export function errorInfoOf(error: unknown): ErrorInfo | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === errorDomain);
  if (info === undefined) return undefined;
  const reason = reasonsByName.get(info.reason) ?? ErrorReason.UNSPECIFIED;
  return { reason, metadata: info.metadata };
}

/** The members of the request that a called service found at fault, in the order of the request. */
export function fieldViolationsOf(error: unknown): FieldViolation[] {
  if (!(error instanceof ConnectError)) return [];
  return error
    .findDetails(BadRequestSchema)
    .flatMap(({ fieldViolations }) =>
      fieldViolations.map(({ field, description }) => ({ field, description })),
    );
}
