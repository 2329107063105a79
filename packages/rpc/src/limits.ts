import { Code, ConnectError } from "@connectrpc/connect";
import { errorWithCause } from "./errors/connect-error.ts";

/** Largest message, in bytes, that a client may send; the default of gRPC. */
export const requestLimitBytes = 4 * 1024 * 1024;

/**
 * Largest message, in bytes, that a service may respond with, and that our clients read; a larger one is
 * RESOURCE_EXHAUSTED, and its client must request less. It is much larger than the limit of requests because
 * records, mostly a few kilobytes, may have 1 MiB, and a response may have hundreds of them; an entry
 * of a change log may have several MiB. Other gRPC clients read 4 MiB by default.
 */
export const responseLimitBytes = 64 * 1024 * 1024;

/** Longest deadline, in milliseconds: the limit of Node's timers (24.8 days). */
export const maxTimeoutMs = 2 ** 31 - 1;

/**
 * Deadline of calls without one, in milliseconds: of all calls of our clients, and of the unary calls of a server.
 * Streams without a deadline have none.
 */
export const defaultCallTimeoutMs = 10_000;

/** The error of a message that exceeds its limit. */
export function tooLarge(
  what: "message" | "request" | "response",
  limitBytes: number,
): ConnectError {
  return new ConnectError(`the ${what} is larger than ${limitBytes} bytes`, Code.ResourceExhausted);
}

/** The error of bytes that are not a message of the method's type. */
export function invalidMessage(cause: unknown): ConnectError {
  const message = "the body is not a message of the method's type";
  return errorWithCause(message, Code.InvalidArgument, cause);
}
