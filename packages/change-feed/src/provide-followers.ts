import { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import { provide } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { FeedFollower } from "./feed-follower.ts";
import { describeFollowers } from "./rpc/describe-followers.ts";
import { rebuildAll } from "./rpc/rebuild-all.ts";
import type { RebuildIndex } from "./rpc/rebuild-all.ts";
import { retryAllQuarantined } from "./rpc/retry-all-quarantined.ts";

/** What looks after the followers of a service. */
export interface FollowersOptions {
  /** By the names of their feeds. */
  readonly followers: ReadonlyMap<string, FeedFollower>;
  /** One of them is asked of every call. */
  readonly ingestTokens: readonly string[];
  /** What is made after all feeds are rebuilt, with its progress; default nothing. */
  readonly index?: RebuildIndex | undefined;
}

/** The service by which operators look after the followers of a service. */
export function provideFollowers({
  followers,
  ingestTokens,
  index,
}: FollowersOptions): ProvidedService {
  return provide(
    FollowerService,
    {
      describeFollowers: describeFollowers({ followers }),
      rebuild: rebuildAll({ followers, index }),
      retryQuarantined: retryAllQuarantined({ followers }),
    },
    { tokens: ingestTokens },
  );
}
