import type { PublicErrorCode } from "../errors/public-error.ts";
import type { OwnFailure } from "../operations/operation.ts";
import {
  challengeHeaders,
  noPartHeaders,
  passingHeaders,
  refusalHeaders,
} from "./response-headers.ts";

export const errorSchema = {
  type: "object" as const,
  description: "Why a request failed.",
  properties: {
    message: {
      type: "string" as const,
      description: "A sentence for people.",
      examples: ["Offer not found"],
    },
    error: {
      type: "string" as const,
      description: "A stable code to decide by.",
      enum: [
        "INVALID_ARGUMENT",
        "UNAUTHENTICATED",
        "NOT_FOUND",
        "GONE",
        "METHOD_NOT_ALLOWED",
        "LIMIT_REACHED",
        "PRECONDITION_FAILED",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "RATE_LIMITED",
        "INTERNAL",
        "UPSTREAM_FAILED",
        "UNAVAILABLE",
        "DEADLINE_EXCEEDED",
      ],
    },
  },
  required: ["message", "error"],
};

/** Responses to requests that fail, for `components.responses`. */
export const failureResponses = {
  InvalidArgument: failure(
    "INVALID_ARGUMENT",
    "the request breaks a rule; the message names the member.",
    "limit must be a whole number of at least 1.",
  ),
  Unauthenticated: failure(
    "UNAUTHENTICATED",
    "the request has no token of the operator, or a wrong one.",
    "The request needs authorization: Bearer and a token of ADMIN_TOKEN.",
    challengeHeaders,
  ),
  LimitReached: failure(
    "LIMIT_REACHED",
    "there are as many as can be stored.",
    "The maximum number of webhooks exists; delete one.",
  ),
  NotFound: failure("NOT_FOUND", "what the request names does not exist.", "Offer not found"),
  Gone: failure(
    "GONE",
    "the changes after the cursor are no longer stored.",
    "The changes after this cursor are no longer stored; restart with a new snapshot.",
  ),
  PayloadTooLarge: failure(
    "PAYLOAD_TOO_LARGE",
    "the body is longer than the gateway takes, 256 KiB unless its operator has set another limit.",
    "The body must be at most 262144 bytes.",
  ),
  UnsupportedMediaType: failure(
    "UNSUPPORTED_MEDIA_TYPE",
    "the type of the body is not JSON, or the body is compressed or not in UTF-8.",
    "The body must be of type application/json, in UTF-8 and not compressed.",
  ),
  PreconditionFailed: failure(
    "PRECONDITION_FAILED",
    "the file is not the one that `If-Match` or `If-Unmodified-Since` asks for.",
    "The file is not the one that If-Match or If-Unmodified-Since asks for.",
  ),
  RangeNotSatisfiable: failure(
    "INVALID_ARGUMENT",
    "no byte of the file is in the range.",
    "Range must begin within the 1048576 bytes of the file.",
    noPartHeaders,
  ),
  RateLimited: failure(
    "RATE_LIMITED",
    "the client has used up its requests of this minute, where the gateway has a limit.",
    "At most 60 requests per minute are allowed; try again later.",
    passingHeaders,
  ),
  Unavailable: failure(
    "UNAVAILABLE",
    "a service behind the gateway is unavailable or not configured, or there are too many concurrent requests.",
    "The catalog service is unavailable; try again later.",
    passingHeaders,
  ),
  Failure: {
    ...failure("UPSTREAM_FAILED", "", "The catalog service failed to respond."),
    description:
      "431 `INVALID_ARGUMENT`: the request line and the headers are longer than 16 KiB. 500 `INTERNAL`: a defect. 502 `UPSTREAM_FAILED`, 504 `DEADLINE_EXCEEDED`: something behind the gateway failed or was too slow.",
  },
} as const;

const nameByStatus: Record<FailureStatus, keyof typeof failureResponses> = {
  400: "InvalidArgument",
  401: "Unauthenticated",
  404: "NotFound",
  409: "LimitReached",
  410: "Gone",
  412: "PreconditionFailed",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  416: "RangeNotSatisfiable",
  429: "RateLimited",
  503: "Unavailable",
};

/** Statuses that the document lists; it describes all others as `default`. */
export type FailureStatus = OwnFailure | 400 | 413 | 415 | 429;

export function failureStatuses(
  hasBody: boolean,
  ownFailures: readonly OwnFailure[],
): FailureStatus[] {
  return hasBody ? [400, 413, 415, 429, ...ownFailures] : [400, 429, ...ownFailures];
}

/** Responses to requests that fail, by status. */
export function failuresByStatus(statuses: readonly FailureStatus[]) {
  const each = statuses.map((status) => [status, failureResponses[nameByStatus[status]]] as const);
  return { ...Object.fromEntries(each), default: failureResponses.Failure };
}

/** @param message of the example */
function failure(
  error: PublicErrorCode,
  meaning: string,
  message: string,
  headers = refusalHeaders,
) {
  const schema = { $ref: "#/components/schemas/Error" };
  const content = { "application/json": { schema, example: { message, error } } };
  return { description: `\`${error}\`: ${meaning}`, headers, content };
}
