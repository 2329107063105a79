import type { JsonObject } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** The content of a line. */
export interface Line {
  /** Whether the entries of the changelog are included, so that the record's first sight adds none. */
  isRestored: boolean;
  kind: string;
  /** `forget` occurs only in the changes that mirrors follow. */
  op: "upsert" | "delete" | "forget";
  /** Absent where states have no time of their own. */
  observedAt?: Timestamp | undefined;
  /** When it was stored at the line's origin; only in changes, and ignored by importers. */
  committedAt?: Timestamp | undefined;
  /** In the form of its kind. */
  record: JsonObject;
}

/** Prefix of lines that may be longer than a record, by which readers detect them. */
export const restoredLineStart = '{"restored":true,';

/** A line as text, with its line feed. */
export function lineText(line: Line): string {
  const { isRestored, kind, op, observedAt, committedAt, record } = line;
  const members = {
    ...(isRestored && { restored: true }),
    kind,
    op,
    ...(observedAt !== undefined && { observedAt: timestampDate(observedAt).toISOString() }),
    ...(committedAt !== undefined && { committedAt: timestampDate(committedAt).toISOString() }),
    record,
  };
  return `${JSON.stringify(members)}\n`;
}
