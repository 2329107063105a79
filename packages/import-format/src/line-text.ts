import type { JsonObject } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** What a line says. */
export interface Line {
  /** Whether the entries of the changelog come along, so that the record's first sight makes none. */
  isRestored: boolean;
  kind: string;
  op: "upsert" | "delete";
  /** Absent where states have no time of their own. */
  observedAt?: Timestamp | undefined;
  /** In the form of its kind. */
  record: JsonObject;
}

/** How lines begin of what may be longer than a record: readers tell it by this. */
export const restoredLineStart = '{"restored":true,';

/** A line as text, with its line feed. */
export function lineText({ isRestored, kind, op, observedAt, record }: Line): string {
  const line = {
    ...(isRestored && { restored: true }),
    kind,
    op,
    ...(observedAt !== undefined && { observedAt: timestampDate(observedAt).toISOString() }),
    record,
  };
  return `${JSON.stringify(line)}\n`;
}
