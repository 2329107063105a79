import { TRPCClientError } from "@trpc/client";
import { isCatalogResponse, UnreadableResponse } from "./catalog-fetch.ts";
import type { CatalogResponse } from "./catalog-fetch.ts";
import { gatewayErrorCodes } from "./catalog-router.ts";
import type { CatalogRouter, GatewayErrorCode } from "./catalog-router.ts";

/**
 * The code of a failed call: one of the gateway's, or one of the client's own: `CANCELED` (the caller's
 * signal was aborted) and `UNREACHABLE` (no response, or one that is not the gateway's).
 * `DEADLINE_EXCEEDED` is the client's too, when `timeoutMs` has passed.
 */
export type CatalogErrorCode = GatewayErrorCode | "CANCELED" | "UNREACHABLE";

/** The error of a failed call. */
export class CatalogError extends TRPCClientError<CatalogRouter> {
  /** A stable code for programs; `message` is for people. */
  readonly code: CatalogErrorCode;
  /** HTTP status of the call, undefined without a response. */
  readonly status: number | undefined;
  /** The request's id in the gateway's logs, undefined without a response. */
  readonly requestId: string | undefined;
  /** Seconds of the gateway's `Retry-After`, undefined without it. */
  readonly retryAfter: number | undefined;

  constructor(error: TRPCClientError<CatalogRouter>) {
    const failure = failureOf(error);
    super(failure.message, {
      ...(error.shape && { result: { error: error.shape } }),
      cause: error.cause ?? error,
      ...(error.meta && { meta: error.meta }),
    });
    // The parent's constructor sets its own prototype.
    Object.setPrototypeOf(this, CatalogError.prototype);
    this.name = "CatalogError";
    this.code = failure.code;
    this.status = failure.status;
    const headers = responseOf(error)?.headers;
    this.requestId = headers?.get("x-request-id") ?? undefined;
    this.retryAfter = secondsOf(headers?.get("retry-after"));
  }
}

/** The error of a call or a stream as a CatalogError. */
export function catalogErrorOf(error: unknown): CatalogError {
  if (error instanceof CatalogError) return error;
  const cause = error instanceof Error ? error : new Error(String(error));
  return new CatalogError(TRPCClientError.from(cause));
}

interface Failure {
  code: CatalogErrorCode;
  status: number | undefined;
  message: string;
}

function failureOf(error: TRPCClientError<CatalogRouter>): Failure {
  const status = error.data?.httpStatus ?? responseOf(error)?.status;
  // Limits and routes of the gateway respond before tRPC does, in the form of REST's errors.
  const { error: code, message } = error.data
    ? { error: error.data.error, message: error.message }
    : restErrorOf(error.meta?.["responseJSON"]);
  if (code !== undefined) return { code: gatewayCodeOf(code), status, message };
  if (isNamed(error.cause, "TimeoutError")) {
    return { code: "DEADLINE_EXCEEDED", status, message: "The catalogue did not respond in time." };
  }
  if (isNamed(error.cause, "AbortError") || error.message === "Aborted") {
    return { code: "CANCELED", status, message: "The call was canceled." };
  }
  return { code: "UNREACHABLE", status, message: "The catalogue could not be reached." };
}

function restErrorOf(body: unknown): { error?: string; message: string } {
  if (typeof body !== "object" || body === null) return { message: "" };
  const { error, message }: { error?: unknown; message?: unknown } = body;
  return typeof error === "string" && typeof message === "string"
    ? { error, message }
    : { message: "" };
}

// An unknown code is a failure too.
function gatewayCodeOf(code: string): CatalogErrorCode {
  return gatewayErrorCodes.find((known) => known === code) ?? "INTERNAL";
}

function responseOf(error: TRPCClientError<CatalogRouter>): CatalogResponse | undefined {
  const { cause, meta } = error;
  const response = cause instanceof UnreadableResponse ? cause.response : meta?.["response"];
  return isCatalogResponse(response) ? response : undefined;
}

// The gateway sends seconds; proxies may send a date.
function secondsOf(retryAfter: string | null | undefined): number | undefined {
  if (retryAfter === null || retryAfter === undefined) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const ms = Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1000));
}

function isNamed(error: unknown, name: string): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === name;
}
