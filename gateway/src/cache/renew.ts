import { isDeepStrictEqual } from "node:util";
import type { KeptAnswer } from "./kept-answer.ts";

/**
 * Renews a kept answer by one that was made after it, if that came out the same of the same, and
 * tells whether it did. So what was encoded stays, and what outlives a full collection in the memory
 * of the process is one set of answers, not two.
 */
export function renew(kept: KeptAnswer, again: KeptAnswer): boolean {
  const isSame =
    kept.isFollowed === again.isFollowed &&
    kept.prepared.isLike(again.prepared) &&
    isDeepStrictEqual(kept.reads, again.reads);
  if (!isSame) return false;
  kept.madeAt = again.madeAt;
  kept.begunAt = again.begunAt;
  kept.version = again.version;
  kept.isCurrent = again.isCurrent;
  kept.retryAt = again.retryAt;
  return true;
}
