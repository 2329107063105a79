import type { LogFollowers } from "../log-followers.ts";
import { callerErrorOf } from "./handlers.ts";
import type { FeedHandlers } from "./handlers.ts";

export function acknowledgeChanges(deps: {
  followers: LogFollowers;
}): FeedHandlers["acknowledgeChanges"] {
  return async ({ follower, sequence }) => {
    try {
      await deps.followers.acknowledge(follower, sequence);
    } catch (error) {
      throw callerErrorOf(error);
    }
    return {};
  };
}
