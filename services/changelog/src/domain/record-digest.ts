import { createHash } from "node:crypto";

/** What tells the states of a record apart: 8 bytes of the SHA-256 of its bytes, 0 when it is deleted. */
export function recordDigest(record: { readonly value: Uint8Array } | undefined): bigint {
  if (record === undefined) return 0n;
  return createHash("sha256").update(record.value).digest().readBigInt64BE();
}
