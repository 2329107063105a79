import type { FeedFollower } from "../feed-follower.ts";
import { callerErrorOf } from "./handlers.ts";
import type { FollowerHandlers } from "./handlers.ts";

export function retryAllQuarantined(deps: {
  followers: ReadonlyMap<string, FeedFollower>;
}): FollowerHandlers["retryQuarantined"] {
  return async () => {
    let appliedCount = 0n;
    let failedCount = 0n;
    try {
      for (const follower of deps.followers.values()) {
        const { applied, failed } = await follower.retryQuarantined();
        appliedCount += BigInt(applied);
        failedCount += BigInt(failed);
      }
    } catch (error) {
      throw callerErrorOf(error);
    }
    return { appliedCount, failedCount };
  };
}
