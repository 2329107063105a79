import { createHash } from "node:crypto";

/** The state of a record by its newest entry. */
export interface LoggedState {
  /** Whether it is the deletion of the record. */
  readonly isDeletion: boolean;
  /** Of the record after the entry; undefined when it was not stored. */
  readonly digest: bigint | undefined;
  readonly observedAt: Date;
}

/** A record in a snapshot. */
export interface ShownState {
  /** 0 when it is absent. */
  readonly digest: bigint;
  readonly observedAt: Date;
}

/**
 * The change of a record between its newest entry and a snapshot, if any. Without a stored digest, a record that was
 * observed later may have changed, and counts as changed.
 */
export function snapshotChange(
  logged: LoggedState | undefined,
  shown: ShownState,
): "insert" | "update" | "delete" | undefined {
  const wasThere = logged !== undefined && !logged.isDeletion;
  if (shown.digest === 0n) return wasThere ? "delete" : undefined;
  if (!wasThere) return "insert";
  const isSame =
    logged.digest === undefined
      ? logged.observedAt.getTime() >= shown.observedAt.getTime()
      : logged.digest === shown.digest;
  return isSame ? undefined : "update";
}

/** Distinguishes the states of a record: 8 bytes of the SHA-256 of its bytes, 0 when it is deleted. */
export function recordDigest(record: { readonly value: Uint8Array } | undefined): bigint {
  if (record === undefined) return 0n;
  return createHash("sha256").update(record.value).digest().readBigInt64BE();
}
