import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { feedNames, followerNames } from "@storefront/config";
import type { FeedName, FollowerName } from "@storefront/config";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { DescribeLogResponse, LogFollower } from "@storefront/contracts/feed/v1/feed_service";
import { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import type { FeedFollowing } from "@storefront/contracts/feed/v1/follower_service";
import { messageOf } from "../user-error.ts";
import { askService, askWithToken, fine, timeoutMs, urlOf, wrong } from "./check.ts";
import type { Check, ExaminedStack } from "./check.ts";

/**
 * Looks at the logs of the services and at who follows them, where the environment or the running stack
 * tells their addresses. What does not answer at all is another check's.
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
        const problem = `It is not told: ${messageOf(error)}.`;
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
        const problem = `They are not told: ${messageOf(error)}.`;
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
  return await askService(url, stack, (transport) =>
    createClient(FeedService, transport).describeLog({}, { timeoutMs }),
  );
}

async function describeFollowers(
  follower: FollowerName,
  stack: ExaminedStack,
): Promise<readonly FeedFollowing[]> {
  const answer = await askWithToken(follower, stack, (transport) =>
    createClient(FollowerService, transport).describeFollowers({}, { timeoutMs }),
  );
  return answer?.feeds ?? [];
}

/** What a service's log says of itself and of who follows it. */
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
    `It no longer keeps what ${lost.join(", ")} needs (${[extent, ...sentences].join("; ")}).`,
    "They resynchronise when they come back; nothing is lost.",
  );
}

function textOf({ name, sequence, acknowledgedAt }: LogFollower, newest: bigint, now: Date) {
  const said = acknowledgedAt === undefined ? "" : `, said ${ageOf(acknowledgedAt, now)} ago`;
  return `${name} is at ${sequence}, ${newest - sequence} behind${said}`;
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
 * How well a service follows a feed.
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
  const by = holder === "" ? "by nobody now" : `by ${holder}`;
  const version = `version ${projectionVersion} of the projection`;
  const snapshot =
    snapshotRecords === undefined
      ? ""
      : `, ${snapshotRecords} records of a snapshot applied, which is under way`;
  const place = `applied to ${sequence}${behind}, ${by}, ${version}${snapshot}`;
  const { quarantinedCount, quarantined } = following;
  const [first] = quarantined;
  if (quarantinedCount > 0n && first !== undefined) {
    const record = `${first.kind} ${first.key.join(" ")}`;
    return wrong(
      name,
      `${quarantinedCount} entries are quarantined, first ${first.sequence} (${record}): ${first.error} (${place}).`,
      "See `storefront quarantine`, and `storefront quarantine retry` once the cause is mended.",
    );
  }
  if (ownProjectionVersion < projectionVersion) {
    return wrong(
      name,
      `This replica, of version ${ownProjectionVersion}, only reads: a newer one has written (${place}).`,
      `Update it; or, to stay with it, run \`storefront rebuild ${service}\`.`,
    );
  }
  return fine(name, place);
}

function bigintMax(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
