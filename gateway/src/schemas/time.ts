import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { z } from "zod";

const zIsoTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

// Years that a Timestamp can hold.
const earliestMs = Date.parse("0001-01-01T00:00:00Z");
const latestMs = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether the text is an ISO 8601 date, or date and time with its offset, of the years 1 to 9999. */
export function isIsoTime(text: string): boolean {
  if (!zIsoTime.safeParse(text).success) return false;
  const milliseconds = Date.parse(text);
  return milliseconds >= earliestMs && milliseconds <= latestMs;
}

/** The instant that a text names which `isIsoTime` accepts, to the nanosecond. */
export function timestampOf(text: string): Timestamp {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  return create(TimestampSchema, {
    seconds: BigInt(Math.floor(Date.parse(text) / 1000)),
    nanos: Number(fraction.padEnd(9, "0").slice(0, 9)),
  });
}
