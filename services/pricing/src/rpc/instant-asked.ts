import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** The instant that a request asks about; absent means now. */
export function instantAsked(at: Timestamp | undefined): Date {
  return at === undefined ? new Date() : timestampDate(at);
}
