import { failureHeaders, refusalHeaders } from "./response-headers.ts";

/** What every failure says. */
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
        "NOT_FOUND",
        "GONE",
        "METHOD_NOT_ALLOWED",
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

/** What every operation answers when it fails. */
export const errorResponses = {
  400: {
    description: "`INVALID_ARGUMENT`: the request breaks a rule; the message names the member.",
    headers: refusalHeaders,
    content: errorBody("limit must be a whole number of at least 1.", "INVALID_ARGUMENT"),
  },
  404: {
    description: "`NOT_FOUND`: what the request names does not exist.",
    headers: refusalHeaders,
    content: errorBody("Offer not found", "NOT_FOUND"),
  },
  default: {
    description:
      "405 `METHOD_NOT_ALLOWED`, 410 `GONE` (changes that are no longer kept), 413 `PAYLOAD_TOO_LARGE` (over 256 KiB), 415 `UNSUPPORTED_MEDIA_TYPE`, 429 `RATE_LIMITED`, 431 `INVALID_ARGUMENT`: the request cannot be taken. 500 `INTERNAL`: a defect. 502 `UPSTREAM_FAILED`, 503 `UNAVAILABLE`, 504 `DEADLINE_EXCEEDED`: something behind the gateway failed, is down or was too slow.",
    headers: failureHeaders,
    content: errorBody("The catalog service is unavailable; try again later.", "UNAVAILABLE"),
  },
};

function errorBody(message: string, error: string) {
  const schema = { $ref: "#/components/schemas/Error" };
  return { "application/json": { schema, example: { message, error } } };
}
