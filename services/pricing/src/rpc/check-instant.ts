import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { isTimestamp } from "@storefront/rpc";
import type { RequestCheck } from "@storefront/rpc";

/** The instant that a request asks about; absent means now. */
export function checkInstant(check: RequestCheck, field: string, at: Timestamp | undefined): Date {
  if (at !== undefined && isTimestamp(at)) return timestampDate(at);
  check.that(field, at === undefined, "must be a time of the years 1 to 9999");
  return new Date();
}
