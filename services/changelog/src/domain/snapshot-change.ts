import { createHash } from "node:crypto";

/** What the newest entry about a record says of it. */
export interface LoggedState {
  /** Whether it tells that the record is gone. */
  readonly isDeletion: boolean;
  /** Of the record as it left it; undefined when that was not noted. */
  readonly digest: bigint | undefined;
  readonly observedAt: Date;
}

/** A record as a snapshot shows it. */
export interface ShownState {
  /** 0 when it is not there. */
  readonly digest: bigint;
  readonly observedAt: Date;
}

/**
 * What happened to a record between its newest entry and a snapshot; undefined when that was nothing. Where no
 * digest was noted, a record that was seen later may have changed: that it was is told rather than not.
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

/** What tells the states of a record apart: 8 bytes of the SHA-256 of its bytes, 0 when it is deleted. */
export function recordDigest(record: { readonly value: Uint8Array } | undefined): bigint {
  if (record === undefined) return 0n;
  return createHash("sha256").update(record.value).digest().readBigInt64BE();
}
