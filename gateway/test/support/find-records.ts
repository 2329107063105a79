import type { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound } from "@storefront/rpc";

/** The found record, or the failure of a service that does not have it. */
export const known = <Found>(found: Found | undefined, reason: ErrorReason): Found => {
  if (found === undefined) throw notFound(reason, "upstream text that clients must not see");
  return found;
};

/** The found records, each once, in the requested order. */
export const inOrder = <Found>(ids: string[], find: (id: string) => Found | undefined): Found[] =>
  [...new Set(ids)].flatMap((id) => find(id) ?? []);
