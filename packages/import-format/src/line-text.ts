import type { JsonObject } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** What a line says. */
export interface Line {
  /** Whether the entries of the changelog come along, so that the record's first sight makes none. */
  isRestored: boolean;
  kind: string;
  /** `forget` stands in the changes that mirrors follow alone. */
  op: "upsert" | "delete" | "forget";
  /** Absent where states have no time of their own. */
  observedAt?: Timestamp | undefined;
  /** When it was stored where the line comes from; only in changes, which importers do not look at. */
  committedAt?: Timestamp | undefined;
  /** In the form of its kind. */
  record: JsonObject;
}

/** How lines begin of what may be longer than a record: readers tell it by this. */
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
