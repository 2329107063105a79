import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { DescribeLogResponse, LogFollower } from "@storefront/contracts/feed/v1/feed_service";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

/** What a service's log says of itself and of who follows it. */
export function judgeLog(owner: string, log: DescribeLogResponse | Error, now: Date): Check {
  const name = `log of ${owner}`;
  if (log instanceof Error) {
    return wrong(name, `It is not told: ${log.message}.`, "See the services above.");
  }
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
