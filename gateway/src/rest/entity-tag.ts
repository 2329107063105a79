import { hash } from "node:crypto";
import type { ContentCoding } from "./content-coding.ts";

/** The strong entity tag of a body in a coding. */
export function entityTagOf(body: Buffer, coding: ContentCoding): string {
  const digest = hash("sha1", body, "base64url");
  return coding === "identity" ? `"${digest}"` : `"${digest}-${coding}"`;
}

/** Whether an `If-None-Match` header names the tag, compared weakly as it asks for. */
export function isNoneMatch(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const tags: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return tags.includes(entityTag);
}
