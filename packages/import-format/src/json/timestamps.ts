import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/;

/** Milliseconds since 1970 of an ISO 8601 instant with date, time and `Z`; undefined if it is invalid. */
export function parseTimestampMs(text: string): number | undefined {
  if (!isoForm.test(text)) return undefined;
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs) || text.startsWith("0000")) return undefined;
  // Date.parse moves days that a month does not have, and 24:00, into the next day.
  const mayMove = text.slice(8, 10) > "28" || text.startsWith("24", 11);
  return !mayMove || new Date(timeMs).toISOString().startsWith(text.slice(0, 13))
    ? timeMs
    : undefined;
}

/** The instant of ISO 8601 text with date, time and `Z`, to the millisecond; undefined if it is invalid. */
export function parseTimestamp(text: string): Date | undefined {
  const timeMs = parseTimestampMs(text);
  return timeMs === undefined ? undefined : new Date(timeMs);
}

/** A Timestamp message of milliseconds since 1970. */
export function timestampFromMs(timeMs: number): Timestamp {
  const seconds = Math.floor(timeMs / 1000);
  const message = create(TimestampSchema);
  message.seconds = BigInt(seconds);
  message.nanos = (timeMs - seconds * 1000) * 1_000_000;
  return message;
}

/** Milliseconds since 1970, truncated to whole ones. */
export function timestampMsOf({ seconds, nanos }: Timestamp): number {
  return Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);
}
