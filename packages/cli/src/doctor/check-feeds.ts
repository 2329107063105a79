import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { feedNames, followerNames } from "@storefront/process";
import type { FeedName, FollowerName } from "@storefront/process";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { DescribeLogResponse, LogFollower } from "@storefront/contracts/feed/v1/feed_service";
import { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import type { FeedFollowing } from "@storefront/contracts/feed/v1/follower_service";
import { messageOf } from "../user-error.ts";
import { callService, callWithToken, fine, timeoutMs, urlOf, wrong } from "./check.ts";
import type { Check, ExaminedStack } from "./check.ts";

/**
 * Checks the logs of the services and their followers whose addresses are in the environment or the running
 * stack. A service that does not respond is reported by another check.
 */
export async function checkFeeds(stack: ExaminedStack): Promise<Check[]> {
  const logs = new Map<string, DescribeLogResponse>();
  const checks = await Promise.all(
    feedNames.map(async (owner) => {
      try {
        const log = await describeLog(owner, stack);
        if (log === undefined) return [];
        logs.set(owner, log);
        return [judgeLog(owner, log, new Date())];
      } catch (error) {
        const problem = `It cannot be read: ${messageOf(error)}.`;
        return [wrong(`log of ${owner}`, problem, "See the services above.")];
      }
    }),
  );
  const followings = await Promise.all(
    followerNames.map(async (follower) => {
      try {
        const feeds = await describeFollowers(follower, stack);
        return feeds.map((feed) => judgeFollowing(follower, feed, logs.get(feed.feed)));
      } catch (error) {
        const problem = `They cannot be read: ${messageOf(error)}.`;
        return [wrong(`followers of ${follower}`, problem, "See the services above.")];
      }
    }),
  );
  return [...checks, ...followings].flat();
}

async function describeLog(
  owner: FeedName,
  stack: ExaminedStack,
): Promise<DescribeLogResponse | undefined> {
  const url = urlOf(owner, stack);
  if (url === undefined) return undefined;
  return await callService(url, stack, (transport) =>
    createClient(FeedService, transport).describeLog({}, { timeoutMs }),
  );
}

async function describeFollowers(
  follower: FollowerName,
  stack: ExaminedStack,
): Promise<readonly FeedFollowing[]> {
  const response = await callWithToken(follower, stack, (transport) =>
    createClient(FollowerService, transport).describeFollowers({}, { timeoutMs }),
  );
  return response?.feeds ?? [];
}

/** The extent of a log, and the progress of its followers. */
function judgeLog(owner: string, log: DescribeLogResponse, now: Date): Check {
  const name = `log of ${owner}`;
  const { newestSequence, oldestSequence, oldestCommittedAt, sizeBytes, followers } = log;
  const oldest =
    oldestCommittedAt === undefined ? "" : `, the oldest ${ageOf(oldestCommittedAt, now)} old`;
  const extent = `entries ${oldestSequence} to ${newestSequence}${oldest}, ${mebibytes(sizeBytes)} MiB`;
  const sentences = followers.map((follower) => textOf(follower, newestSequence, now));
  const lost = followers.filter(({ isAwaited }) => !isAwaited).map((follower) => follower.name);
  if (lost.length === 0) return fine(name, [extent, ...sentences].join("; "));
  return wrong(
    name,
    `It no longer has what ${lost.join(", ")} needs (${[extent, ...sentences].join("; ")}).`,
    "They resynchronise when they return; nothing is lost.",
  );
}

function textOf({ name, sequence, acknowledgedAt }: LogFollower, newest: bigint, now: Date) {
  const seen = acknowledgedAt === undefined ? "" : `, seen ${ageOf(acknowledgedAt, now)} ago`;
  return `${name} is at ${sequence}, ${newest - sequence} behind${seen}`;
}

function ageOf(time: Timestamp, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - timestampDate(time).getTime()) / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)} h`
    : `${Math.round(seconds / 86_400)} days`;
}

function mebibytes(bytes: bigint): string {
  return (Number(bytes) / 1024 ** 2).toFixed(1);
}

/**
 * Health of a service as follower of a feed.
 *
 * @param log the followed one; undefined when it is not known.
 */
function judgeFollowing(
  service: string,
  following: FeedFollowing,
  log: DescribeLogResponse | undefined,
): Check {
  const { feed, sequence, holder, projectionVersion, ownProjectionVersion, snapshotRecords } =
    following;
  const name = `${service} follows ${feed}`;
  const behind =
    log === undefined ? "" : `, ${bigintMax(log.newestSequence - sequence, 0n)} behind`;
  const by = holder === "" ? "by no process" : `by ${holder}`;
  const version = `version ${projectionVersion} of the projection`;
  const snapshot =
    snapshotRecords === undefined
      ? ""
      : `, ${snapshotRecords} records of an unfinished snapshot applied`;
  const position = `applied to ${sequence}${behind}, ${by}, ${version}${snapshot}`;
  const { quarantinedCount, quarantined } = following;
  const [first] = quarantined;
  if (quarantinedCount > 0n && first !== undefined) {
    const record = `${first.kind} ${first.key.join(" ")}`;
    return wrong(
      name,
      `${quarantinedCount} entries are quarantined, first ${first.sequence} (${record}): ${first.error} (${position}).`,
      "See `storefront quarantine`, and `storefront quarantine retry` once the cause is fixed.",
    );
  }
  if (ownProjectionVersion < projectionVersion) {
    return wrong(
      name,
      `This replica, of version ${ownProjectionVersion}, applies nothing: a newer one has written (${position}).`,
      `Update it; or, to keep this version, run \`storefront rebuild ${service}\`.`,
    );
  }
  return fine(name, position);
}

function bigintMax(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
