import { createHash } from "node:crypto";

/** An entry of PostgreSQL's B-trees holds 2,704 bytes, of which the type and the rest need some. */
const maxKeyBytes = 2_048;

/**
 * What a record's identity is stored and found by: itself, or a digest where no index could hold it, as of
 * an asset whose three identifiers have 3,074 bytes. The two never meet: identities have no line feed,
 * or two.
 */
export function storedKeyOf(key: string): string {
  if (Buffer.byteLength(key) <= maxKeyBytes) return key;
  return `sha256\n${createHash("sha256").update(key).digest("hex")}`;
}
