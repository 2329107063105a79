import { isTimestamp } from "@storefront/rpc";

/** Seconds and nanoseconds since 1970, as a protobuf Timestamp has them. */
export interface Instant {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** An instant, cut to the millisecond; undefined when it is no valid Timestamp. */
export function instantOf(instant: Instant): Date | undefined {
  const { seconds, nanos } = instant;
  return isTimestamp(instant)
    ? new Date(Number(seconds) * 1000 + Math.floor(nanos / 1_000_000))
    : undefined;
}
