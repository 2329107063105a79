import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";

/** Why a request failed: stable, for programs. */
export type PublicErrorCode =
  | "INVALID_ARGUMENT"
  | "UNAUTHENTICATED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "LIMIT_REACHED"
  | "GONE"
  | "PRECONDITION_FAILED"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "RATE_LIMITED"
  | "INTERNAL"
  | "UPSTREAM_FAILED"
  | "UNAVAILABLE"
  | "DEADLINE_EXCEEDED";

/** A failure as clients see it. */
export interface PublicError {
  status: number;
  error: PublicErrorCode;
  /** A sentence for people. */
  message: string;
}

type TRPCErrorCode = TRPCError["code"];

const publicErrors: Partial<Record<TRPCErrorCode, Omit<PublicError, "message">>> = {
  PARSE_ERROR: { status: 400, error: "INVALID_ARGUMENT" },
  BAD_REQUEST: { status: 400, error: "INVALID_ARGUMENT" },
  UNAUTHORIZED: { status: 401, error: "UNAUTHENTICATED" },
  FORBIDDEN: { status: 403, error: "FORBIDDEN" },
  NOT_FOUND: { status: 404, error: "NOT_FOUND" },
  // tRPC has no code for 410; nothing else here fails by a precondition.
  PRECONDITION_FAILED: { status: 410, error: "GONE" },
  METHOD_NOT_SUPPORTED: { status: 405, error: "METHOD_NOT_ALLOWED" },
  CONFLICT: { status: 409, error: "LIMIT_REACHED" },
  PAYLOAD_TOO_LARGE: { status: 413, error: "PAYLOAD_TOO_LARGE" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, error: "UNSUPPORTED_MEDIA_TYPE" },
  TOO_MANY_REQUESTS: { status: 429, error: "RATE_LIMITED" },
  BAD_GATEWAY: { status: 502, error: "UPSTREAM_FAILED" },
  SERVICE_UNAVAILABLE: { status: 503, error: "UNAVAILABLE" },
  GATEWAY_TIMEOUT: { status: 504, error: "DEADLINE_EXCEEDED" },
};

/** `Retry-After` of a 503 without one of its own. */
export const retryAfterSeconds = 1;

/**
 * The failure as clients see it. Messages of a TRPCError with a code of the table are public, all
 * others are not; a failure outside the table is a defect.
 */
export function publicErrorOf(error: unknown): PublicError {
  if (error instanceof ZodError) return invalidArgument(inputMessageOf(error));
  if (error instanceof TRPCError) {
    if (error.cause instanceof ZodError) return invalidArgument(inputMessageOf(error.cause));
    // Of tRPC's own reading of inputs; the parser's text stays private.
    if (error.cause instanceof SyntaxError) {
      return invalidArgument("The input must be well-formed JSON.");
    }
    const known = publicErrors[error.code];
    if (known !== undefined) return { ...known, message: error.message };
  }
  return { status: 500, error: "INTERNAL", message: "The gateway failed to respond." };
}

function invalidArgument(message: string): PublicError {
  return { status: 400, error: "INVALID_ARGUMENT", message };
}

/** A sentence that names the first member at fault and its rule, which schemas word as `must …`. */
function inputMessageOf(error: ZodError): string {
  const [issue] = error.issues;
  if (issue?.path.length === 0) return "The input must be a JSON object.";
  const rule = issue?.message.startsWith("must ") ? issue.message : "is not valid";
  return `${memberOf(issue?.path ?? [])} ${rule}.`;
}

function memberOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === "number") return `${name}[${key}]`;
    return name === "" ? String(key) : `${name}.${String(key)}`;
  }, "");
}

/** The request breaks a rule; the message names the member and the rule. */
export const badRequest = (message: string) => new TRPCError({ code: "BAD_REQUEST", message });

export const unauthenticated = (message: string) =>
  new TRPCError({ code: "UNAUTHORIZED", message });

export const forbidden = (message: string) => new TRPCError({ code: "FORBIDDEN", message });

export const unsupportedMediaType = (message: string) =>
  new TRPCError({ code: "UNSUPPORTED_MEDIA_TYPE", message });

export const notFound = (message: string) => new TRPCError({ code: "NOT_FOUND", message });

/** What the request names existed and will not come back. */
export const gone = (message: string) => new TRPCError({ code: "PRECONDITION_FAILED", message });

/** The path has no such method; `allow` is the value of the header of that name. */
export const methodNotAllowed = (allow: string) =>
  new TRPCError({ code: "METHOD_NOT_SUPPORTED", message: `The method must be one of ${allow}.` });

export const tookTooLong = () =>
  new TRPCError({ code: "GATEWAY_TIMEOUT", message: "The request took too long." });

class UnavailableError extends TRPCError {
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super({ code: "SERVICE_UNAVAILABLE", message });
    this.retryAfter = retryAfter;
  }
}

/**
 * What the request needs is unavailable at present, or not part of this system.
 *
 * @param retryAfter seconds after which it may be; default {@link retryAfterSeconds}
 */
export function unavailable(message: string, retryAfter?: number): TRPCError {
  return new UnavailableError(message, retryAfter ?? retryAfterSeconds);
}

/** `Retry-After` of a 503 for this failure, in seconds. */
export function retryAfterOf(error: unknown): number {
  return error instanceof UnavailableError ? error.retryAfter : retryAfterSeconds;
}

/** The state of a client's limit when it refuses a request. */
export interface LimitReached {
  /** Requests that it counts as: calls of a tRPC request. */
  cost: number;
  /** Requests that the client may still make in its present minute. */
  left: number;
  /** Requests that it may make per minute. */
  limit: number;
}

/** The client has made too many requests, or one that counts as too many. */
export function rateLimited({ cost, left, limit }: LimitReached): TRPCError {
  const allowed = `At most ${limit} requests per minute are allowed`;
  const advice = cost > limit ? "send fewer at once." : "try again later, or send fewer at once.";
  const message =
    cost === 1
      ? `${allowed}; try again later.`
      : `${allowed}, ${left} are left now, and this one counts as ${cost}, of which none was carried out; ${advice}`;
  return new TRPCError({ code: "TOO_MANY_REQUESTS", message });
}
