import { isDeepStrictEqual } from "node:util";
import type { StoredResponse } from "./stored-response.ts";

/**
 * Renews a stored response by one that was made after it, if that came out the same of the same, and
 * tells whether it did. So what was encoded stays, and what outlives a full collection in the memory
 * of the process is one set of responses, not two.
 */
export function renew(stored: StoredResponse, again: StoredResponse): boolean {
  const isSame =
    stored.isFollowed === again.isFollowed &&
    stored.representations.isLike(again.representations) &&
    isDeepStrictEqual(stored.reads, again.reads);
  if (!isSame) return false;
  stored.madeAt = again.madeAt;
  stored.freshMs = again.freshMs;
  stored.endsAt = again.endsAt;
  stored.begunAt = again.begunAt;
  stored.version = again.version;
  stored.isCurrent = again.isCurrent;
  stored.isTouched = again.isTouched;
  stored.retryAt = again.retryAt;
  return true;
}
