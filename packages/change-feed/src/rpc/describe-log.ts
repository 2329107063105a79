import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { LogFollowers } from "../log-followers.ts";
import type { LogSource } from "../log-source.ts";
import { callerErrorOf } from "./handlers.ts";
import type { FeedHandlers } from "./handlers.ts";

export function describeLog(deps: {
  source: LogSource;
  followers: LogFollowers;
}): FeedHandlers["describeLog"] {
  return async () => {
    try {
      const [newest, extent, followers] = await Promise.all([
        deps.source.newest(),
        deps.source.extent(),
        deps.followers.list(),
      ]);
      return {
        newestSequence: newest.sequence,
        oldestSequence: extent.oldest,
        ...(extent.oldestAt && { oldestCommittedAt: timestampFromDate(extent.oldestAt) }),
        sizeBytes: extent.sizeBytes,
        followers: followers.map(({ name, sequence, acknowledgedAt }) => ({
          name,
          sequence,
          acknowledgedAt: timestampFromDate(acknowledgedAt),
          isAwaited: sequence >= extent.start,
        })),
      };
    } catch (error) {
      throw callerErrorOf(error);
    }
  };
}
