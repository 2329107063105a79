import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "@storefront/contracts/google/rpc/error_details";
import { ErrorReason, ErrorReasonSchema } from "@storefront/contracts/type/v1/error_reason";

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
  /** Details of the reason; error_reason.proto has the members of each reason. */
  metadata?: Readonly<Record<string, string>>;
  fieldViolations?: readonly FieldViolation[];
  /** The underlying error: for the log, never for the client. */
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

/** Members of the request break rules; pass all of them. */
export function invalidFields(fieldViolations: readonly FieldViolation[]): ServiceError {
  const message = fieldViolations.map(({ field, description }) => `${field}: ${description}`);
  return new ServiceError({
    code: Code.InvalidArgument,
    reason: ErrorReason.INVALID_FIELD,
    message: message.join("; "),
    fieldViolations,
  });
}

/** A dependency of the service, such as `database`, is unavailable; a retry may succeed. */
export function unavailable(dependency: string, cause: unknown): ServiceError {
  return new ServiceError({
    code: Code.Unavailable,
    reason: ErrorReason.DEPENDENCY_UNAVAILABLE,
    message: `${dependency} cannot be reached`,
    metadata: { dependency },
    cause,
  });
}

/** Domain of the reasons in `google.rpc.ErrorInfo`. */
const errorDomain = "storefront";

/** An error whose cause is for the log. */
export function errorWithCause(message: string, code: Code, cause: unknown): ConnectError {
  return new ConnectError(message, code, undefined, undefined, cause);
}

/**
 * The error that a client gets for a failure of a handler.
 *
 * A ServiceError becomes its code with `google.rpc.ErrorInfo` and, for invalid members,
 * `google.rpc.BadRequest`. A ConnectError is unchanged, without the headers of the call it is from.
 * Anything else becomes `internal` without details; the original error is the `cause`, for the log.
 */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof ServiceError) return fromServiceError(error);
  if (error instanceof ConnectError) return error;
  return errorWithCause("internal error", Code.Internal, error);
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

/** A reason on the wire: its name in the enum without the prefix. */
function reasonName(reason: ErrorReason): string {
  return ErrorReasonSchema.value[reason]?.localName ?? "UNSPECIFIED";
}

/** The reason of a rejected call. */
export interface ErrorInfo {
  /** `UNSPECIFIED` for a reason that this build does not know. */
  reason: ErrorReason;
  metadata: Readonly<Record<string, string>>;
}

const reasonsByName = new Map(
  Object.values(ErrorReason).map((reason): [string, ErrorReason] => [reasonName(reason), reason]),
);

/** The reason from a called service; undefined if the error has none. */
export function errorInfoOf(error: unknown): ErrorInfo | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === errorDomain);
  if (info === undefined) return undefined;
  const reason = reasonsByName.get(info.reason) ?? ErrorReason.UNSPECIFIED;
  return { reason, metadata: info.metadata };
}

/** The members of the request that a called service found invalid, in the order of the request. */
export function fieldViolationsOf(error: unknown): FieldViolation[] {
  if (!(error instanceof ConnectError)) return [];
  return error
    .findDetails(BadRequestSchema)
    .flatMap(({ fieldViolations }) =>
      fieldViolations.map(({ field, description }) => ({ field, description })),
    );
}
