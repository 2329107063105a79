import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf, fieldViolationsOf } from "@storefront/rpc";
import { TRPCError } from "@trpc/server";

const notFoundMessages: Partial<Record<ErrorReason, string>> = {
  [ErrorReason.SANDBOX_NOT_FOUND]: "Sandbox not found",
  [ErrorReason.OFFER_NOT_FOUND]: "Offer not found",
  [ErrorReason.ITEM_NOT_FOUND]: "Item not found",
  [ErrorReason.ITEM_WITHOUT_OFFER]: "Offer not found: none holds the item",
  [ErrorReason.PRICE_NOT_FOUND]: "Price not found",
  [ErrorReason.ENTRY_NOT_FOUND]: "Change not found",
  [ErrorReason.QUERY_NOT_FOUND]: "Query not found",
  [ErrorReason.PRICE_CHANGE_NOT_FOUND]: "Change not found",
};

/** To those who follow a log: 404 as for a change that never was, with what to do. */
const lostMessages: Partial<Record<ErrorReason, string>> = {
  [ErrorReason.ENTRY_UNDONE]:
    "Change undone: it, or one before it, was taken back with a history that was lost; begin anew without it",
  [ErrorReason.LOG_DIVERGED]:
    "Change not found: it is of a history that was lost, or never was; begin anew without it",
  [ErrorReason.LOG_PRUNED]:
    "Changes no longer kept: some of those asked for are older than the log reaches back; begin anew later in it",
};

const fullMessage =
  "As many saved searches are followed as may be; one is given up when nobody has asked for it in 14 days.";

const goneMessage =
  "What follows this event is not kept, or it is of another search: begin anew without it";

/** Refusals of a service whose database is too busy or full. */
const passingReasons: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.DATABASE_OVERLOADED,
  ErrorReason.TRANSACTION_CONFLICT,
  ErrorReason.STORAGE_FULL,
]);

/** Whether the service says that its database cannot do this now; that is no fault of the call. */
export function isPassing(error: ConnectError): boolean {
  return passingReasons.has(errorInfoOf(error)?.reason ?? ErrorReason.UNSPECIFIED);
}

/**
 * The failure of a call to a service as the gateway's own error, with the original as `cause`.
 * The service's text stays behind; what is no failure of a call is given back as it is.
 *
 * @param service the service's public name, such as `catalog`
 */
export function upstreamErrorOf(service: string, error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error;
  const reason = errorInfoOf(error)?.reason ?? ErrorReason.UNSPECIFIED;
  switch (error.code) {
    case Code.NotFound: {
      const message = notFoundMessages[reason];
      return message === undefined
        ? failed(service, error)
        : new TRPCError({ code: "NOT_FOUND", message, cause: error });
    }
    case Code.InvalidArgument: {
      const message = reason === ErrorReason.QUERY_TOO_LONG ? queryTooLong(error) : refusal(error);
      return new TRPCError({ code: "BAD_REQUEST", message, cause: error });
    }
    case Code.FailedPrecondition: {
      const message = lostMessages[reason];
      if (message !== undefined) {
        return new TRPCError({ code: "NOT_FOUND", message, cause: error });
      }
      if (reason === ErrorReason.QUERY_EVENT_GONE) {
        return new TRPCError({ code: "NOT_FOUND", message: goneMessage, cause: error });
      }
      return reason === ErrorReason.EMBEDDING_NOT_CONFIGURED
        ? new TRPCError({
            code: "SERVICE_UNAVAILABLE",
            message: "Natural-language search is not configured.",
            cause: error,
          })
        : failed(service, error);
    }
    case Code.Unavailable:
      return reason === ErrorReason.EMBEDDING_FAILED
        ? failed("embedding", error)
        : unavailable(service, error);
    case Code.Aborted:
    case Code.ResourceExhausted:
      if (reason === ErrorReason.QUERY_WATCHES_FULL) {
        return new TRPCError({ code: "SERVICE_UNAVAILABLE", message: fullMessage, cause: error });
      }
      return isPassing(error) ? unavailable(service, error) : failed(service, error);
    case Code.DeadlineExceeded:
    case Code.Canceled:
      return new TRPCError({
        code: "GATEWAY_TIMEOUT",
        message: `The ${service} service did not answer in time.`,
        cause: error,
      });
    default:
      return failed(service, error);
  }
}

function unavailable(service: string, cause: ConnectError): TRPCError {
  return new TRPCError({
    code: "SERVICE_UNAVAILABLE",
    message: `The ${service} service is unavailable; try again later.`,
    cause,
  });
}

function failed(service: string, cause: ConnectError): TRPCError {
  return new TRPCError({
    code: "BAD_GATEWAY",
    message: `The ${service} service failed to answer.`,
    cause,
  });
}

function queryTooLong(error: ConnectError): string {
  const maxBytes = errorInfoOf(error)?.metadata["maxBytes"];
  return `The body is too long to be saved: its canonical form may have at most ${maxBytes} bytes.`;
}

// Names the members only: how the service words its rules is its own affair.
function refusal(error: ConnectError): string {
  const members = fieldViolationsOf(error).map(({ field }) =>
    field.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  );
  return members.length === 0
    ? "The request was refused as invalid."
    : `The request was refused: ${members.join(", ")} must be valid.`;
}
