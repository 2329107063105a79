import type { JsonObject } from "@bufbuild/protobuf";
import { limits } from "../limits.ts";

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
  /** In the form of the import format; asked for only if it may be too long. */
  readonly json: () => JsonObject;
}

/**
 * The rule that a record breaks by its size, as the rest of a sentence; undefined if none. What an
 * export writes of it must be a line that an import takes.
 */
export function recordSizeFault({ kind, sizeBytes, json }: SizedRecord): string | undefined {
  const fault = messageSizeFault(sizeBytes);
  if (fault !== undefined || sizeBytes * maxGrowth < limits.lineBytes) return fault;
  const line = { kind, op: "upsert", observedAt: new Date(0).toISOString(), record: json() };
  return Buffer.byteLength(JSON.stringify(line)) > limits.lineBytes
    ? "must be at most 1 MiB as a line of the import format"
    : undefined;
}

/** The rule that a record of so many bytes of protobuf breaks; undefined if none. */
export function messageSizeFault(sizeBytes: number): string | undefined {
  return sizeBytes > limits.messageBytes ? "must be at most 3.5 MiB in protobuf" : undefined;
}
