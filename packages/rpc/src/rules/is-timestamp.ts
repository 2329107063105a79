import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z: the range of google.protobuf.Timestamp. */
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;

/** Whether a Timestamp that came over the wire means an instant of the years 1 to 9999. */
export function isTimestamp({ seconds, nanos }: Pick<Timestamp, "seconds" | "nanos">): boolean {
  return seconds >= minSeconds && seconds <= maxSeconds && nanos >= 0 && nanos <= 999_999_999;
}
