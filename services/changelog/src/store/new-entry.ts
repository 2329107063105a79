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
  /** The state of the record after the entry. */
  readonly observe: (before: SubjectState | undefined) => SubjectState;
}
