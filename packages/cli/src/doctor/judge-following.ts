import type { DescribeLogResponse } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedFollowing } from "@storefront/contracts/feed/v1/follower_service";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

/**
 * How well a service follows a feed.
 *
 * @param log the followed one; undefined when it is not known.
 */
export function judgeFollowing(
  service: string,
  following: FeedFollowing,
  log: DescribeLogResponse | undefined,
): Check {
  const { feed, sequence, holder, projectionVersion, ownProjectionVersion } = following;
  const name = `${service} follows ${feed}`;
  const behind =
    log === undefined ? "" : `, ${bigintMax(log.newestSequence - sequence, 0n)} behind`;
  const by = holder === "" ? "by nobody now" : `by ${holder}`;
  const version = `version ${projectionVersion} of the projection`;
  const place = `applied to ${sequence}${behind}, ${by}, ${version}`;
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
