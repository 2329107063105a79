import { hash } from "node:crypto";
import type { Column } from "@storefront/database";

/** Where a row keeps the digest of its key. */
export const keyDigestColumn: Column = { name: "key_digest", type: "bytea" };

/**
 * SHA-256 of a key, 32 bytes: what tables are indexed by where keys may be longer than the 2,704
 * bytes that an entry of a B-tree holds. Three identifiers take up to 3,072.
 */
export function keyDigest(key: readonly string[]): Buffer {
  return hash("sha256", keyText(key), "buffer");
}

/** A key as one string: its parts are identifiers, so they have no control characters. */
export function keyText(key: readonly string[]): string {
  return key.join("\0");
}
