import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { isTimestamp } from "@storefront/rpc";
import { timestampMsOf } from "../json/timestamps.ts";
import { limits } from "../limits.ts";

/**
 * The rule that a time of observation breaks, as the rest of a sentence; undefined if none. One that
 * is far ahead of the clock would make every later observation of its record stale.
 */
export function observedAtFault(observedAt: Timestamp | undefined): string | undefined {
  if (observedAt === undefined) return "is required";
  if (!isTimestamp(observedAt)) return "must be a time of the years 1 to 9999";
  return timestampMsOf(observedAt) > Date.now() + limits.aheadMs
    ? "must be at most 24 hours ahead of the service's clock"
    : undefined;
}
