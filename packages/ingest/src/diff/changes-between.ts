import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { IdentityLists } from "@storefront/import-format";

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

/** The members to compare. */
export interface MemberTable {
  /** Top-level members, in the order of changes. */
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

/** The value of a change of a whole record; members that are undefined are omitted. */
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

/** Elements by identity; of two with the same identity the last counts. */
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

/** The type of a change's value; null is not a value of a change. */
type JsonType = "string" | "number" | "boolean" | "object" | "array" | "null";

/** JSON type of a value. */
function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}

/**
 * Whether a value is unknown: absent, null, an empty list, or an object that is empty or has only
 * unknown members. An empty string is known.
 */
function isUnknown(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return false;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isUnknown);
}

/**
 * Whether two values are the same state: unknown members count as absent at every depth, order
 * matters in lists and not in objects.
 */
function sameValue(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (!isObjectOrList(left) || !isObjectOrList(right)) return isUnknown(left) && isUnknown(right);
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right)) return isUnknown(left) && isUnknown(right);
    return (
      left.length === right.length && left.every((value, index) => sameValue(value, right[index]))
    );
  }
  for (const name of Object.keys(left)) {
    if (!sameValue(left[name], own(right, name))) return false;
  }
  return Object.keys(right).every((name) => Object.hasOwn(left, name) || isUnknown(right[name]));
}

function isObjectOrList(
  value: JsonValue | undefined,
): value is JsonValue[] | { [name: string]: JsonValue } {
  return typeof value === "object" && value !== null;
}

function own(object: { [name: string]: JsonValue }, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
