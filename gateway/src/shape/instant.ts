import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** ISO 8601 in UTC with milliseconds; null for what is unknown. */
export function instantOf(timestamp: Timestamp | undefined): string | null {
  if (timestamp === undefined) return null;
  const milliseconds = Number(timestamp.seconds) * 1000 + Math.floor(timestamp.nanos / 1_000_000);
  return new Date(milliseconds).toISOString();
}
