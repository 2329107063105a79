import { CatalogError } from "@storefront/client";
import type { CatalogRouter } from "@storefront/client";
import type { TRPCClientErrorLike } from "@trpc/client";

/** A failed call of a procedure. */
export type CallError = TRPCClientErrorLike<CatalogRouter>;

/** A failed call, for people. */
interface Failure {
  title: string;
  message: string;
}

// Something behind the gateway failed, is down or was too slow.
const unavailable = [502, 503, 504];

const tooMany = 429;

/** Describes a failed call of `subject`, such as "The search". */
export function failureOf(error: CallError, subject: string): Failure {
  const status = statusOf(error);
  if (status === undefined) {
    return {
      title: "The gateway cannot be reached",
      message: "Check the connection. The page retries automatically.",
    };
  }
  if (unavailable.includes(status)) {
    return {
      title: `${subject}: not available right now`,
      message: "Everything else keeps working. The page retries automatically.",
    };
  }
  if (status === tooMany) {
    return {
      title: `${subject}: too many requests`,
      message: "The gateway limits requests per minute. Wait a little, then try again.",
    };
  }
  return { title: `${subject}: cannot be shown`, message: error.message };
}

/** Whether a retry may succeed; not after 400, 404 or 429, for instance. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status >= 500;
}

/** Whether a call failed because the requested thing does not exist. */
export function isNotFound(error: CallError): boolean {
  return error instanceof CatalogError && error.code === "NOT_FOUND";
}

// Undefined without a response.
function statusOf(error: unknown): number | undefined {
  return error instanceof CatalogError ? error.status : undefined;
}
