import { RebuildPhase } from "@storefront/contracts/feed/v1/follower_service";
import type { FeedFollower } from "../feed-follower.ts";
import { callerErrorOf } from "./handlers.ts";
import type { FollowerHandlers } from "./handlers.ts";

/** Builds an index of what followers hold; gives how many records are in it, again and again. */
export type RebuildIndex = (signal: AbortSignal) => AsyncIterable<number>;

export function rebuildAll(deps: {
  followers: ReadonlyMap<string, FeedFollower>;
  index: RebuildIndex | undefined;
}): FollowerHandlers["rebuild"] {
  return async function* rebuild(_request, { signal }) {
    try {
      for (const [feed, follower] of deps.followers) {
        yield { phase: RebuildPhase.RECONCILING, feed };
        await follower.rebuild(signal);
      }
      let indexedCount = 0n;
      for await (const count of deps.index?.(signal) ?? []) {
        indexedCount = BigInt(count);
        yield { phase: RebuildPhase.INDEXING, indexedCount };
      }
      yield { phase: RebuildPhase.DONE, indexedCount };
    } catch (error) {
      throw callerErrorOf(error);
    }
  };
}
