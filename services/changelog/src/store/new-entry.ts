import type { SubjectRef, SubjectState } from "../domain/subject-state.ts";

/** An entry to store, with what it says of its record. */
export interface NewEntry {
  readonly id: string;
  readonly observedAt: Date;
  readonly contextType: string;
  readonly contextId: string;
  readonly namespace: string;
  /** The serialized Entry; absent when the write changes nothing that a reader sees. */
  readonly bytes: Uint8Array | undefined;
  readonly subject: SubjectRef;
  /** Whether an export gave it, so that its id says nothing of the log of this catalog. */
  readonly isRestored?: boolean;
  /** The state of the record after the entry. */
  readonly observe: (before: SubjectState | undefined) => SubjectState;
  /** Of a canonical entry. */
  readonly write?: CatalogWrite | undefined;
}

/** The write that a canonical entry tells of. */
export interface CatalogWrite {
  /** Its sequence in the catalog's log. */
  readonly sequence: bigint;
  /** See `recordDigest`. */
  readonly recordDigest: bigint;
}
