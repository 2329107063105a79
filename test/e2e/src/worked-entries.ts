import { known } from "./model/known.ts";
import type { ModelChange } from "./model/changes.ts";
import type { ReadEntry } from "./read-log.ts";

/** A record and the expected entries of its history, worked out by hand. */
export interface WorkedRecord {
  kind: string;
  id: string;
  entries: Omit<ReadEntry, "id">[];
}

interface WorkedChange extends ModelChange {
  /** The same word as `changeType`. */
  action: string;
}

/** Reads the file of worked examples into the form of the model. */
export function workedEntries(text: string): WorkedRecord[] {
  const { records } = JSON.parse(text) as {
    records: {
      kind: string;
      id: string;
      entries: (Omit<ReadEntry, "id" | "changes"> & { changes: WorkedChange[] })[];
    }[];
  };
  return records.map(({ kind, id, entries }) => ({
    kind,
    id,
    entries: entries.map((entry) => ({
      ...entry,
      timestamp: new Date(entry.timestamp).toISOString(),
      changes: entry.changes.map(readChange),
    })),
  }));
}

function readChange({ changeType, type, field, oldValue, newValue }: WorkedChange): ModelChange {
  return {
    changeType,
    type,
    field,
    ...(oldValue === undefined ? {} : { oldValue: known(oldValue, field) }),
    ...(newValue === undefined ? {} : { newValue: known(newValue, field) }),
  };
}
