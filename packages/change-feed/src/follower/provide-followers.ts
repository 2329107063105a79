import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FollowerService, RebuildPhase } from "@storefront/contracts/feed/v1/follower_service";
import { DatabaseUnavailableError } from "@storefront/database";
import { provide, unavailable } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { FeedFollower } from "./follow-options.ts";

/** Builds an index of the followers' data; yields the growing number of indexed records. */
export type RebuildIndex = (signal: AbortSignal) => AsyncIterable<number>;

interface FollowersOptions {
  /** By the names of their feeds. */
  readonly followers: ReadonlyMap<string, FeedFollower>;
  /** Each call must carry one of these. */
  readonly ingestTokens: readonly string[];
  /** Built after all feeds are rebuilt; default nothing. */
  readonly index?: RebuildIndex | undefined;
}

/** Operators' service for the followers of a service. */
export function provideFollowers({
  followers,
  ingestTokens,
  index,
}: FollowersOptions): ProvidedService {
  return provide(
    FollowerService,
    {
      describeFollowers: () =>
        mappingErrors(async () => ({
          feeds: await Promise.all(
            [...followers].map(([feed, follower]) => describe(feed, follower)),
          ),
        })),
      rebuild: (_request, { signal }) => mappingStreamErrors(rebuildAll(followers, index, signal)),
      retryQuarantined: () => mappingErrors(() => retryAllQuarantined(followers.values())),
    },
    { tokens: ingestTokens },
  );
}

async function describe(feed: string, follower: FeedFollower) {
  const described = await follower.describe();
  return {
    feed,
    sequence: described.cursor,
    holder: described.holder ?? "",
    projectionVersion: described.version,
    ownProjectionVersion: described.ownVersion,
    quarantinedCount: BigInt(described.quarantinedEntries),
    ...(described.snapshotRecords !== undefined && {
      snapshotRecords: BigInt(described.snapshotRecords),
    }),
    quarantined: described.quarantined.map(({ entry, error, firstFailedAt, supersededBy }) => ({
      sequence: entry.sequence,
      kind: entry.kind,
      key: entry.key,
      error,
      firstFailedAt: timestampFromDate(firstFailedAt),
      supersededBy: supersededBy ?? 0n,
    })),
  };
}

async function* rebuildAll(
  followers: FollowersOptions["followers"],
  index: RebuildIndex | undefined,
  signal: AbortSignal,
) {
  for (const [feed, follower] of followers) {
    yield { phase: RebuildPhase.RECONCILING, feed };
    await follower.rebuild(signal);
  }
  let indexedCount = 0n;
  for await (const count of index?.(signal) ?? []) {
    indexedCount = BigInt(count);
    yield { phase: RebuildPhase.INDEXING, indexedCount };
  }
  yield { phase: RebuildPhase.DONE, indexedCount };
}

async function retryAllQuarantined(followers: Iterable<FeedFollower>) {
  let appliedCount = 0n;
  let failedCount = 0n;
  for (const follower of followers) {
    const { applied, failed } = await follower.retryQuarantined();
    appliedCount += BigInt(applied);
    failedCount += BigInt(failed);
  }
  return { appliedCount, failedCount };
}

/** Maps an unavailable database to UNAVAILABLE. */
async function mappingErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw callerErrorOf(error);
  }
}

async function* mappingStreamErrors<Message>(
  messages: AsyncIterable<Message>,
): AsyncGenerator<Message> {
  try {
    yield* messages;
  } catch (error) {
    throw callerErrorOf(error);
  }
}

function callerErrorOf(error: unknown): unknown {
  return error instanceof DatabaseUnavailableError ? unavailable("database", error) : error;
}
