import type { AppRouter } from "@storefront/gateway";
import type { TRPCClientErrorLike } from "@trpc/client";

/** A failed call of a procedure. */
export type CallError = TRPCClientErrorLike<AppRouter>;

/** What a person is told of a failed call. */
export interface Failure {
  title: string;
  message: string;
  /** Whether the same call may succeed later. */
  isPassing: boolean;
}

const unavailable = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED", "UPSTREAM_FAILED"]);

/** Tells what a failed call of `subject`, such as "The search", means for a person. */
export function failureOf(error: CallError, subject: string): Failure {
  const { data } = error;
  if (!data) {
    return {
      title: "The gateway cannot be reached",
      message: "Check the connection. The page tries again by itself.",
      isPassing: true,
    };
  }
  if (unavailable.has(data.error)) {
    return {
      title: `${subject}: not available right now`,
      message: "Everything else goes on working. The page tries again by itself.",
      isPassing: true,
    };
  }
  return { title: `${subject}: cannot be shown`, message: error.message, isPassing: false };
}

/** Whether a call failed because there is no such thing. */
export function isNotFound(error: CallError): boolean {
  return error.data?.error === "NOT_FOUND";
}
