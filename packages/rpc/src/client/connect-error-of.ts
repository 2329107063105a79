import { Code, ConnectError } from "@connectrpc/connect";
import { errorWithCause } from "../errors/connect-error.ts";

// Failures of a connection before a response: a call without side effects can be retried.
const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_SOCKET",
  "UND_ERR_CLOSED",
  "UND_ERR_DESTROYED",
]);

/** A failure of the HTTP client as a ConnectError: `unavailable` if a connection failed. */
export function connectErrorOf(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof Error && "code" in error && isOfConnection(String(error.code))) {
    return unreachable(error);
  }
  return ConnectError.from(error);
}

/** The error of a call whose connection failed, or was not trusted. */
export function unreachable(cause: Error): ConnectError {
  return errorWithCause(`cannot reach the service: ${cause.message}`, Code.Unavailable, cause);
}

// OpenSSL has its own codes for a connection that the other side rejects.
function isOfConnection(code: string): boolean {
  return connectionCodes.has(code) || code.startsWith("ERR_SSL_");
}
