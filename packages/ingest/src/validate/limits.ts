import type { JsonObject } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { limits, messageSizeFault, timestampMsOf } from "@storefront/import-format";
import { isTimestamp } from "@storefront/rpc";

/** How far ahead of the service's clock an observation may be. */
const aheadMs = 24 * 60 * 60 * 1000;

/**
 * The rule that a time of observation breaks, as the rest of a sentence; undefined if none. A time far
 * ahead of the clock would make every later observation of its record stale.
 */
export function observedAtFault(observedAt: Timestamp | undefined): string | undefined {
  if (observedAt === undefined) return "is required";
  if (!isTimestamp(observedAt)) return "must be a time of the years 1 to 9999";
  return timestampMsOf(observedAt) > Date.now() + aheadMs
    ? "must be at most 24 hours ahead of the service's clock"
    : undefined;
}

/**
 * A record's JSON has less than this many times the bytes of its protobuf. The worst are members of
 * two bytes: a time of 1970 in a list is `"startDate":"1970-01-01T00:00:00.000Z",`.
 */
const maxGrowth = 32;

/** A record in its two forms. */
export interface SizedRecord {
  /** Name of its kind. */
  readonly kind: string;
  /** Bytes of its protobuf. */
  readonly sizeBytes: number;
  /** In the form of the import format; called only if it may be too long. */
  readonly json: () => JsonObject;
}

/**
 * The rule that a record breaks by its size, as the rest of a sentence; undefined if none. Its line in an
 * export must be accepted by an import.
 */
export function recordSizeFault({ kind, sizeBytes, json }: SizedRecord): string | undefined {
  const fault = messageSizeFault(sizeBytes);
  if (fault !== undefined || sizeBytes * maxGrowth < limits.lineBytes) return fault;
  const line = { kind, op: "upsert", observedAt: new Date(0).toISOString(), record: json() };
  return Buffer.byteLength(JSON.stringify(line)) > limits.lineBytes
    ? "must be at most 1 MiB as a line of the import format"
    : undefined;
}
