import { create, equals, fromBinary, toBinary, toJson } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Value } from "@bufbuild/protobuf/wkt";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { timestampMsOf } from "@storefront/import-format";
import { entryFault, keyFault, maxEntryBytes, valueFault } from "../domain/check-entry.ts";
import type { Fault } from "../domain/check-entry.ts";
import { afterForeignEntry } from "../domain/subject-state.ts";
import type { SubjectRef } from "../domain/subject-state.ts";
import type { NewEntry } from "../store/entry-writer.ts";

const valueMembers = ["oldValue", "newValue", "oldValueRaw", "newValueRaw"] as const;

/** An entry as clients send it. */
export type SentEntry = Omit<Entry, "$typeName">;

/** The entry to store for a foreign one, or the rule that it breaks. */
export function readForeignEntry(sent: SentEntry): NewEntry | Fault {
  const subject = { type: sent.contextType, key: sent.contextId };
  const observe: NewEntry["observe"] = (before) =>
    afterForeignEntry(before, subject, sent.namespace === "" ? undefined : sent.namespace);
  const entry = readEntry(sent, { isRestored: false, subject, observe });
  if ("bytes" in entry && entry.bytes !== undefined && entry.bytes.length > maxEntryBytes) {
    return { field: "", rule: `must be at most ${maxEntryBytes} bytes` };
  }
  return entry;
}

/** The entry to store for an exported one, which does not change its subject. */
export function readRestoredEntry(sent: SentEntry & { key: readonly string[] }): NewEntry | Fault {
  const { contextType, contextId, namespace, key } = sent;
  const fault = key.length === 0 ? undefined : keyFault(key);
  if (fault !== undefined) return fault;
  const named = { type: contextType, key: contextId };
  const subject = key.length === 0 ? named : { type: contextType, key: key.join("\n") };
  const observe: NewEntry["observe"] = (before) =>
    before ?? afterForeignEntry(undefined, named, namespace === "" ? undefined : namespace);
  return readEntry(sent, { isRestored: true, subject, observe });
}

function readEntry(
  sent: SentEntry,
  {
    isRestored,
    subject,
    observe,
  }: { isRestored: boolean; subject: SubjectRef } & Pick<NewEntry, "observe">,
): NewEntry | Fault {
  const fault = entryFault(sent, isRestored) ?? faultOfValues(sent);
  if (fault !== undefined) return fault;
  if (sent.timestamp === undefined) return { field: "timestamp", rule: "is required" };
  const observedAt = new Date(timestampMsOf(sent.timestamp));
  const { id, contextType, contextId, namespace, changes } = sent;
  const content = { id, contextType, contextId, namespace, changes };
  const bytes = toBinary(
    EntrySchema,
    create(EntrySchema, { ...content, timestamp: timestampFromDate(observedAt) }),
  );
  const about = { contextType, contextId, namespace, subject, observe };
  return { id, observedAt, bytes, isRestored, ...about };
}

/** Whether two serialized entries are equal; members of objects have no order. */
export function isSameEntry(a: Uint8Array, b: Uint8Array): boolean {
  return equals(EntrySchema, fromBinary(EntrySchema, a), fromBinary(EntrySchema, b));
}

function faultOfValues({ changes }: SentEntry): Fault | undefined {
  for (const [index, change] of changes.entries()) {
    for (const member of valueMembers) {
      const value = change[member];
      const fault = value && faultOfValue(`changes[${index}].${member}`, value);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function faultOfValue(field: string, value: Value): Fault | undefined {
  try {
    return valueFault(field, toJson(ValueSchema, value));
  } catch {
    // No kind is set, or the number is not in JSON.
    return { field, rule: "must be a JSON value" };
  }
}
