import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { parse } from "range-parser";
import type { ContentCoding } from "./content-coding.ts";

/** The digest in the entity tags of a body. */
export const bodyDigestOf = (body: Buffer | string) => hash("sha1", body, "base64url");

/** The strong entity tag of a body in a coding, by the digest of the body as it is. */
export function entityTagIn(coding: ContentCoding, digest: string): string {
  return coding === "identity" ? `"${digest}"` : `"${digest}-${coding}"`;
}

/** Whether an `If-None-Match` header names the tag, by weak comparison (RFC 9110, 13.1.2). */
export function isNoneMatch(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === entityTag) return true;
  return ifNoneMatch !== undefined && names(ifNoneMatch, /"[^"]*"/g, entityTag);
}

function names(header: string, tags: RegExp, entityTag: string): boolean {
  return header.trim() === "*" || header.match(tags)?.some((tag) => tag === entityTag) === true;
}

/** The validators of a file (RFC 9110, 8.8). */
export interface FileValidators {
  /** A strong one. */
  entityTag: string;
  /** As headers have it. */
  lastModified: string;
}

/**
 * The status of a GET or HEAD whose conditions exclude the file (RFC 9110, 13.2.2); otherwise undefined.
 * `Cache-Control: no-cache` does not make a file count as changed, as the package `fresh` does: `fetch` adds it to
 * each `If-None-Match`.
 */
export function statusByConditions(
  headers: IncomingHttpHeaders,
  { entityTag, lastModified }: FileValidators,
): 304 | 412 | undefined {
  const { "if-match": match, "if-none-match": noneMatch } = headers;
  const modifiedAt = Date.parse(lastModified);
  // Comparisons with an invalid date are false, so that the condition is ignored.
  const isOther =
    match === undefined
      ? modifiedAt > Date.parse(headers["if-unmodified-since"] ?? "")
      : // By strong comparison: a weak tag is another one.
        !names(match, /(?:W\/)?"[^"]*"/g, entityTag);
  if (isOther) return 412;
  const isUnchanged =
    noneMatch === undefined
      ? modifiedAt <= Date.parse(headers["if-modified-since"] ?? "")
      : isNoneMatch(noneMatch, entityTag);
  return isUnchanged ? 304 : undefined;
}

/** Bit of the parser's result: some range is malformed. */
const malformed = 1;

/**
 * The bytes that a GET requests (RFC 9110, 14), from `start` up to and including `end`. Undefined, for all of them,
 * without a range, with several or a malformed one, or if the range is of a file that has changed; "unsatisfiable" if
 * no byte is in the range.
 */
export function requestedRange(
  { range, "if-range": ifRange }: IncomingHttpHeaders,
  sizeBytes: number,
  { entityTag, lastModified }: FileValidators,
): { start: number; end: number } | "unsatisfiable" | undefined {
  if (range === undefined) return undefined;
  if (ifRange !== undefined && ifRange !== entityTag && ifRange !== lastModified) return undefined;
  const { type, code, ranges } = parse(sizeBytes, range);
  if (type !== "bytes" || (code & malformed) !== 0 || ranges.length > 1) return undefined;
  return ranges[0] ?? "unsatisfiable";
}
