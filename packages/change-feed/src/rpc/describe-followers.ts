import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FeedFollower } from "../feed-follower.ts";
import type { QuarantinedEntry } from "../quarantine.ts";
import { callerErrorOf } from "./handlers.ts";
import type { FollowerHandlers } from "./handlers.ts";

export function describeFollowers(deps: {
  followers: ReadonlyMap<string, FeedFollower>;
}): FollowerHandlers["describeFollowers"] {
  return async () => {
    try {
      const feeds = await Promise.all(
        [...deps.followers].map(async ([feed, follower]) => {
          const described = await follower.describe();
          return {
            feed,
            sequence: described.cursor,
            holder: described.holder ?? "",
            projectionVersion: described.version,
            ownProjectionVersion: described.ownVersion,
            quarantinedCount: BigInt(described.quarantinedEntries),
            quarantined: described.quarantined.map(messageOf),
          };
        }),
      );
      return { feeds };
    } catch (error) {
      throw callerErrorOf(error);
    }
  };
}

function messageOf({ entry, error, firstFailedAt, supersededBy }: QuarantinedEntry) {
  return {
    sequence: entry.sequence,
    kind: entry.kind,
    key: entry.key,
    error,
    firstFailedAt: timestampFromDate(firstFailedAt),
    supersededBy: supersededBy ?? 0n,
  };
}
