import { isDeepStrictEqual } from "node:util";
import { known } from "./known.ts";
import { identityOf, membersOf, summaryOf } from "./observed-members.ts";
import type { ObservedKind } from "./observed-members.ts";

/** One change of an entry; unknown values are absent, known ones are normalized by `known`. */
export interface ModelChange {
  changeType: "insert" | "update" | "delete";
  type: string;
  field: string;
  oldValue?: unknown;
  newValue?: unknown;
}

export type ReplayRecord = Readonly<Record<string, unknown>>;

/**
 * The changes of a write by docs/import-format.md, "What a write does": written from there alone, in the slow and
 * obvious way.
 *
 * @param before undefined for an inserted record, `after` for a deleted one.
 */
export function changesBetween(
  kind: ObservedKind,
  before: ReplayRecord | undefined,
  after: ReplayRecord | undefined,
): ModelChange[] {
  if (before === undefined || after === undefined) {
    return [change("*", summarise(kind, before), summarise(kind, after))];
  }
  return membersOf[kind].flatMap((field) => {
    const oldValue = known(before[field], field);
    const newValue = known(after[field], field);
    const identity = identityOf(kind, field);
    if (identity === undefined) {
      return isDeepStrictEqual(oldValue, newValue) ? [] : [change(field, oldValue, newValue)];
    }
    const oldElements = elementsBy(identity, oldValue);
    const newElements = elementsBy(identity, newValue);
    return [...new Set([...oldElements.keys(), ...newElements.keys()])].flatMap((key) => {
      const [was, is] = [oldElements.get(key), newElements.get(key)];
      return isDeepStrictEqual(was, is) ? [] : [change(field, was, is)];
    });
  });
}

function summarise(kind: ObservedKind, record: ReplayRecord | undefined): unknown {
  if (record === undefined) return undefined;
  // The id of a sandbox is its namespace.
  const own = kind === "sandbox" ? { ...record, namespace: record["id"] } : record;
  return known(Object.fromEntries(summaryOf[kind].map((member) => [member, own[member]])));
}

/** Elements by identity; the last of two with one identity counts. */
function elementsBy(
  identity: (element: unknown) => unknown,
  elements: unknown,
): Map<string, unknown> {
  const list = Array.isArray(elements) ? (elements as unknown[]) : [];
  return new Map(list.map((element) => [JSON.stringify(identity(element)), element]));
}

function change(field: string, oldValue: unknown, newValue: unknown): ModelChange {
  const changeType =
    oldValue === undefined ? "insert" : newValue === undefined ? "delete" : "update";
  return {
    changeType,
    type: jsonTypeOf(newValue ?? oldValue),
    field,
    ...(oldValue === undefined ? {} : { oldValue }),
    ...(newValue === undefined ? {} : { newValue }),
  };
}

function jsonTypeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}
