/** A row of which only the serialized record is read. */
export interface RecordRow {
  record: Uint8Array;
}

/** A canonical offer with its text in the requested locale, both serialized. */
export interface OfferRow extends RecordRow {
  /** Null when there is none, and when no locale was asked for. */
  text: Uint8Array | null;
}
