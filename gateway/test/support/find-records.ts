import type { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound } from "@storefront/rpc";

/** What is there, or the failure with which a service says that it is not. */
export const known = <Found>(found: Found | undefined, reason: ErrorReason): Found => {
  if (found === undefined) throw notFound(reason, "upstream text that clients must not see");
  return found;
};

/** Those that are found, each once, in the order asked for. */
export const inOrder = <Found>(ids: string[], find: (id: string) => Found | undefined): Found[] =>
  [...new Set(ids)].flatMap((id) => find(id) ?? []);
