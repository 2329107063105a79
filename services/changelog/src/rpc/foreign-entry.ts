import { create, equals, fromBinary, toBinary, toJson } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Value } from "@bufbuild/protobuf/wkt";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { entryFault, maxEntryBytes, valueFault } from "../domain/check-entry.ts";
import type { Fault } from "../domain/check-entry.ts";
import { instantOf } from "../domain/instant-of.ts";
import { afterForeignEntry } from "../domain/subject-state.ts";
import type { NewEntry } from "../store/new-entry.ts";

const valueMembers = ["oldValue", "newValue", "oldValueRaw", "newValueRaw"] as const;

/** The entry to store for a foreign one, or the rule that it breaks. */
export function readForeignEntry(sent: Entry): NewEntry | Fault {
  const fault = entryFault(sent) ?? faultOfValues(sent);
  if (fault !== undefined) return fault;
  const observedAt = sent.timestamp && instantOf(sent.timestamp);
  if (observedAt === undefined) return { field: "timestamp", rule: "is required" };
  const { id, contextType, contextId, namespace, changes } = sent;
  const content = { id, contextType, contextId, namespace, changes };
  const bytes = toBinary(
    EntrySchema,
    create(EntrySchema, { ...content, timestamp: timestampFromDate(observedAt) }),
  );
  if (bytes.length > maxEntryBytes) {
    return { field: "", rule: `must be at most ${maxEntryBytes} bytes` };
  }
  const subject = { type: contextType, key: contextId };
  const observe: NewEntry["observe"] = (before) =>
    afterForeignEntry(before, subject, namespace === "" ? undefined : namespace);
  return { id, observedAt, contextType, contextId, namespace, bytes, subject, observe };
}

/** Whether two serialized entries say the same; members of objects have no order. */
export function isSameEntry(a: Uint8Array, b: Uint8Array): boolean {
  return equals(EntrySchema, fromBinary(EntrySchema, a), fromBinary(EntrySchema, b));
}

function faultOfValues({ changes }: Entry): Fault | undefined {
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
    // No kind is set, or a number that JSON does not know.
    return { field, rule: "must be a JSON value" };
  }
}
