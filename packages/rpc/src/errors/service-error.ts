import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";

/** One member of a request that breaks a rule. */
export interface FieldViolation {
  /** Path of the member in the request, for example `offer_ids[3]`. */
  field: string;
  /** The rule, as a sentence for people. */
  description: string;
}

/** The content of a ServiceError. */
export interface ServiceErrorInit {
  code: Code;
  reason: ErrorReason;
  /** A sentence for the client. */
  message: string;
  /** What the reason is about; error_reason.proto has the members of each reason. */
  metadata?: Readonly<Record<string, string>>;
  fieldViolations?: readonly FieldViolation[];
  /** What happened underneath: for the log, never for the client. */
  cause?: unknown;
}

/** The one error that handlers throw on purpose; everything else is sent as `internal`. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: Code;
  readonly reason: ErrorReason;
  readonly metadata: Readonly<Record<string, string>>;
  readonly fieldViolations: readonly FieldViolation[];

  constructor(init: ServiceErrorInit) {
    super(init.message, { cause: init.cause });
    this.code = init.code;
    this.reason = init.reason;
    this.metadata = init.metadata ?? {};
    this.fieldViolations = init.fieldViolations ?? [];
  }
}

/** The requested thing does not exist. */
export function notFound(
  reason: ErrorReason,
  message: string,
  metadata: Readonly<Record<string, string>> = {},
): ServiceError {
  return new ServiceError({ code: Code.NotFound, reason, message, metadata });
}

/** Members of the request break rules; name every one found. */
export function invalidFields(fieldViolations: readonly FieldViolation[]): ServiceError {
  const message = fieldViolations.map(({ field, description }) => `${field}: ${description}`);
  return new ServiceError({
    code: Code.InvalidArgument,
    reason: ErrorReason.INVALID_FIELD,
    message: message.join("; "),
    fieldViolations,
  });
}

/** Something the service needs, such as `database`, cannot be reached now; worth trying again. */
export function unavailable(dependency: string, cause: unknown): ServiceError {
  return new ServiceError({
    code: Code.Unavailable,
    reason: ErrorReason.DEPENDENCY_UNAVAILABLE,
    message: `${dependency} cannot be reached`,
    metadata: { dependency },
    cause,
  });
}
