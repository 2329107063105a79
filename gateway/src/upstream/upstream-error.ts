import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf, fieldViolationsOf } from "@storefront/rpc";
import { TRPCError } from "@trpc/server";
import { unavailable } from "../errors/public-error.ts";

type PublicFailure = readonly [code: TRPCError["code"], message: string];

/** Failures that clients learn by their reason. A lost log is 404 like an unknown change, and says what to do. */
const failuresByReason: Partial<Record<ErrorReason, PublicFailure>> = {
  [ErrorReason.SANDBOX_NOT_FOUND]: ["NOT_FOUND", "Sandbox not found"],
  [ErrorReason.OFFER_NOT_FOUND]: ["NOT_FOUND", "Offer not found"],
  [ErrorReason.ITEM_NOT_FOUND]: ["NOT_FOUND", "Item not found"],
  [ErrorReason.ITEM_WITHOUT_OFFER]: ["NOT_FOUND", "Offer not found: none holds the item"],
  [ErrorReason.PRICE_NOT_FOUND]: ["NOT_FOUND", "Price not found"],
  [ErrorReason.ENTRY_NOT_FOUND]: ["NOT_FOUND", "Change not found"],
  [ErrorReason.QUERY_NOT_FOUND]: ["NOT_FOUND", "Query not found"],
  [ErrorReason.PRICE_CHANGE_NOT_FOUND]: ["NOT_FOUND", "Change not found"],
  [ErrorReason.ENTRY_UNDONE]: [
    "NOT_FOUND",
    "Change undone: its log was lost, or that of a change before it; restart without it",
  ],
  [ErrorReason.LOG_DIVERGED]: [
    "NOT_FOUND",
    "Change not found: its log was lost, or it never existed; restart without it",
  ],
  [ErrorReason.LOG_PRUNED]: [
    "NOT_FOUND",
    "Changes no longer stored: the log begins later; restart within it",
  ],
  [ErrorReason.CURSOR_OF_OTHER_SEARCH]: [
    "BAD_REQUEST",
    "cursor must be the `next` of a search with the same filter, sort and country.",
  ],
  [ErrorReason.WEBHOOK_NOT_FOUND]: ["NOT_FOUND", "Webhook not found"],
  [ErrorReason.DELIVERY_NOT_FOUND]: ["NOT_FOUND", "Delivery not found"],
  [ErrorReason.TOO_MANY_WEBHOOKS]: [
    "CONFLICT",
    "The maximum number of webhooks exists; delete one.",
  ],
  [ErrorReason.QUERY_EVENT_GONE]: [
    "NOT_FOUND",
    "The events after this one are not stored, or it is of another search; restart without it",
  ],
  [ErrorReason.QUERY_WATCHES_FULL]: [
    "SERVICE_UNAVAILABLE",
    "The maximum number of saved queries is followed; one is released 14 days after its last request.",
  ],
  [ErrorReason.EMBEDDING_NOT_CONFIGURED]: [
    "SERVICE_UNAVAILABLE",
    "Natural-language search is not configured.",
  ],
  [ErrorReason.EMBEDDING_FAILED]: ["BAD_GATEWAY", "The embedding service failed to respond."],
};

/** Refusals of a service whose database is too busy or full. */
const passingReasons: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.DATABASE_OVERLOADED,
  ErrorReason.TRANSACTION_CONFLICT,
  ErrorReason.STORAGE_FULL,
]);

/** Whether the service says that its database cannot do this now; the call has no fault. */
export function isPassing(error: ConnectError): boolean {
  return passingReasons.has(reasonOf(error));
}

/**
 * The failure of a call to a service as the gateway's own error, with the original as `cause`. The service's text is not
 * passed on. What is no failure of a call is returned unchanged.
 *
 * @param service the service's public name, such as `catalog`
 */
export function upstreamErrorOf(service: string, cause: unknown): unknown {
  if (!(cause instanceof ConnectError)) return cause;
  const [code, message] = failuresByReason[reasonOf(cause)] ?? failureByCode(service, cause);
  return new TRPCError({ code, message, cause });
}

function reasonOf(error: ConnectError): ErrorReason {
  return errorInfoOf(error)?.reason ?? ErrorReason.UNSPECIFIED;
}

function failureByCode(service: string, error: ConnectError): PublicFailure {
  if (error.code === Code.Unavailable || isPassing(error)) {
    return ["SERVICE_UNAVAILABLE", `The ${service} service is unavailable; try again later.`];
  }
  if (error.code === Code.DeadlineExceeded || error.code === Code.Canceled) {
    return ["GATEWAY_TIMEOUT", `The ${service} service did not respond in time.`];
  }
  if (error.code === Code.InvalidArgument) return ["BAD_REQUEST", refusalOf(service, error)];
  return ["BAD_GATEWAY", `The ${service} service failed to respond.`];
}

/** The search service is of an earlier release, which ignores a part of the request. */
export const unsupportedBySearch = (what: string) =>
  unavailable(`The search service does not support ${what} yet; try again later.`);

/** Whether a call failed because the service is of an earlier release, which does not have the method. */
export function isUnimplemented(error: unknown): boolean {
  const cause = error instanceof TRPCError ? error.cause : error;
  return cause instanceof ConnectError && cause.code === Code.Unimplemented;
}

// Names the members only: the words of a service for its rules are not public, except those of webhooks.
function refusalOf(service: string, error: ConnectError): string {
  if (reasonOf(error) === ErrorReason.QUERY_TOO_LONG) {
    const maxBytes = errorInfoOf(error)?.metadata["maxBytes"];
    return `The body is too long to be saved: its canonical form may have at most ${maxBytes} bytes.`;
  }
  const violations = fieldViolationsOf(error).map(({ field, description }) => ({
    member: field.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
    description,
  }));
  const members = violations.map(({ member }) => member);
  const [first] = violations;
  if (service === "webhooks" && first !== undefined) {
    return `${first.member} ${first.description}.`;
  }
  return members.length === 0
    ? "The request was refused as invalid."
    : `The request was refused: ${members.join(", ")} must be valid.`;
}

/**
 * A member that the contract promises in a service's response.
 *
 * @throws BAD_GATEWAY when it is missing
 */
export function requireMember<Member>(member: Member | undefined, name: string): Member {
  if (member !== undefined) return member;
  const service = name.slice(0, name.indexOf("."));
  throw new TRPCError({
    code: "BAD_GATEWAY",
    message: `The ${service} service failed to respond.`,
    cause: new Error(`the response of ${name} lacks its record`),
  });
}
