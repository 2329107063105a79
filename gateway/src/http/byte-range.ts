import type { IncomingHttpHeaders } from "node:http";

/** Bytes of a file: from `start` to before `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What tells a file from the one that was asked for before. */
export interface FileValidators {
  entityTag: string;
  /** As headers have it. */
  lastModified: string;
}

const single = /^bytes=(\d*)-(\d*)$/;

/**
 * The bytes that a GET asks for (RFC 9110, 14): all of them, undefined, where it names no range, more than one or
 * none of this form, or the range is of a file that has changed; "unsatisfiable" where no byte is in the range.
 */
export function requestedRange(
  { range, "if-range": ifRange }: IncomingHttpHeaders,
  sizeBytes: number,
  { entityTag, lastModified }: FileValidators,
): ByteRange | "unsatisfiable" | undefined {
  if (range === undefined) return undefined;
  if (ifRange !== undefined && ifRange !== entityTag && ifRange !== lastModified) return undefined;
  const [, first, last] = single.exec(range.replaceAll(" ", "")) ?? [];
  if (first === undefined || last === undefined || first + last === "") return undefined;
  if (first === "") {
    const suffix = Math.min(Number(last), sizeBytes);
    return suffix === 0 ? "unsatisfiable" : { start: sizeBytes - suffix, end: sizeBytes };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  // The last byte before the first makes it no range at all.
  if (last !== "" && Number(last) < start) return undefined;
  return start >= sizeBytes ? "unsatisfiable" : { start, end };
}
