import { tokenCheck } from "@storefront/rpc";
import { notFound, unauthenticated } from "../errors/public-error.ts";

/** Who may call operations for administrators. */
export interface AdminAccess {
  /** Whether there are such operations. */
  readonly isEnabled: boolean;
  /**
   * @param authorization header of a request
   * @throws NOT_FOUND without ADMIN_TOKEN, UNAUTHENTICATED without one of its tokens
   */
  readonly check: (authorization: string | undefined) => void;
}

/** @param tokens of ADMIN_TOKEN; undefined: there are no operations for administrators */
export function createAdminAccess(tokens: readonly string[] | undefined): AdminAccess {
  const isAllowed = tokenCheck(tokens ?? []);
  return {
    isEnabled: tokens !== undefined,
    check(authorization) {
      if (tokens === undefined) throw notFound("Path not found");
      if (!isAllowed(authorization)) {
        throw unauthenticated(
          "The request needs authorization: Bearer and a token of ADMIN_TOKEN.",
        );
      }
    },
  };
}
