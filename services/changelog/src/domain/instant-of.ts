/** Seconds and nanoseconds since 1970, as a protobuf Timestamp has them. */
export interface Instant {
  readonly seconds: bigint;
  readonly nanos: number;
}

// 0001-01-01T00:00:00Z and the last second of the year 9999; outside a Timestamp is not valid.
const firstSecond = -62_135_596_800n;
const lastSecond = 253_402_300_799n;

/** An instant, cut to the millisecond; undefined when it is no valid Timestamp. */
export function instantOf({ seconds, nanos }: Instant): Date | undefined {
  const isValid =
    seconds >= firstSecond && seconds <= lastSecond && nanos >= 0 && nanos <= 999_999_999;
  return isValid ? new Date(Number(seconds) * 1000 + Math.floor(nanos / 1_000_000)) : undefined;
}
