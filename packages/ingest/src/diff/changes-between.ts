import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { IdentityLists } from "@storefront/import-format";
import { isUnknown, jsonTypeOf, sameValue } from "./json-state.ts";
import type { JsonType } from "./json-state.ts";

/** One difference between two states of a record. */
export interface MemberChange {
  readonly changeType: "insert" | "update" | "delete";
  /** Top-level member, or `*` for the whole record. */
  readonly field: string;
  /** JSON type of the new value, or of the old one for a delete. */
  readonly type: JsonType;
  /** Absent for an insert. */
  readonly oldValue?: JsonValue;
  /** Absent for a delete. */
  readonly newValue?: JsonValue;
}

/** What to compare. */
export interface MemberTable {
  /** Top-level members, in the order that changes are given in. */
  readonly members: readonly string[];
  readonly identityLists: IdentityLists;
}

/** The differences between two states of a record, in the order of the table; none if they are equal. */
export function changesBetween(
  { members, identityLists }: MemberTable,
  before: JsonObject,
  after: JsonObject,
): MemberChange[] {
  const changes: MemberChange[] = [];
  for (const field of members) {
    const oldValue = before[field];
    const newValue = after[field];
    const identity = identityLists[field];
    if (identity === undefined) addChange(changes, field, oldValue, newValue);
    else addElementChanges(changes, field, identity, listOf(oldValue), listOf(newValue));
  }
  return changes;
}

/** What a change says of a whole record; members that are undefined are left out. */
export type Summary = Readonly<Record<string, JsonValue | undefined>>;

/** The single change of a record that is seen for the first time. */
export function firstSight(summary: Summary): MemberChange {
  return { changeType: "insert", field: "*", type: "object", newValue: knownOf(summary) };
}

/** The single change of a record that is deleted. */
export function deletion(summary: Summary): MemberChange {
  return { changeType: "delete", field: "*", type: "object", oldValue: knownOf(summary) };
}

function knownOf(summary: Summary): JsonObject {
  const members = Object.entries(summary);
  return Object.fromEntries(
    members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function addChange(
  changes: MemberChange[],
  field: string,
  oldValue: JsonValue | undefined,
  newValue: JsonValue | undefined,
): void {
  if (sameValue(oldValue, newValue)) return;
  if (newValue === undefined || isUnknown(newValue)) {
    const value = oldValue ?? null;
    changes.push({ changeType: "delete", field, type: jsonTypeOf(value), oldValue: value });
  } else if (oldValue === undefined || isUnknown(oldValue)) {
    changes.push({ changeType: "insert", field, type: jsonTypeOf(newValue), newValue });
  } else {
    changes.push({ changeType: "update", field, type: jsonTypeOf(newValue), oldValue, newValue });
  }
}

function addElementChanges(
  changes: MemberChange[],
  field: string,
  identity: readonly string[],
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): void {
  const oldElements = byIdentity(before, identity);
  const newElements = byIdentity(after, identity);
  for (const [key, element] of oldElements) {
    if (!newElements.has(key)) addElement(changes, "delete", field, element);
  }
  for (const [key, element] of newElements) {
    const old = oldElements.get(key);
    if (old === undefined) addElement(changes, "insert", field, element);
    else if (!sameValue(old, element)) {
      const type = jsonTypeOf(element);
      changes.push({ changeType: "update", field, type, oldValue: old, newValue: element });
    }
  }
}

function addElement(
  changes: MemberChange[],
  changeType: "insert" | "delete",
  field: string,
  element: JsonValue,
): void {
  const value = changeType === "insert" ? { newValue: element } : { oldValue: element };
  changes.push({ changeType, field, type: jsonTypeOf(element), ...value });
}

/** Elements by identity; of two with one identity the last counts. */
function byIdentity(
  list: readonly JsonValue[],
  identity: readonly string[],
): Map<string, JsonValue> {
  return new Map(list.map((element) => [identityOf(element, identity), element]));
}

function identityOf(element: JsonValue, identity: readonly string[]): string {
  if (identity.length === 0) return JSON.stringify(element);
  if (element === null || typeof element !== "object" || Array.isArray(element)) return "";
  return JSON.stringify(identity.map((member) => element[member] ?? null));
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
