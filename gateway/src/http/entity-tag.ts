import { hash } from "node:crypto";
import type { ContentCoding } from "./content-coding.ts";

/** What tells a body from others. */
export function bodyDigestOf(body: Buffer): string {
  return hash("sha1", body, "base64url");
}

/** The strong entity tag of a body in a coding, by the digest of the body as it is. */
export function entityTagIn(coding: ContentCoding, digest: string): string {
  return coding === "identity" ? `"${digest}"` : `"${digest}-${coding}"`;
}

/** Whether an `If-None-Match` header names the tag, compared weakly as it asks for. */
export function isNoneMatch(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === entityTag) return true;
  if (ifNoneMatch.trim() === "*") return true;
  const tags: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return tags.includes(entityTag);
}
