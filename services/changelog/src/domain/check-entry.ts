import type { JsonValue } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { limits } from "@storefront/import-format";
import { observedAtFault } from "@storefront/ingest";
import { identifier } from "@storefront/rpc";
import { isOwnEntryId } from "./entry-id.ts";

/** A rule that an entry breaks. */
export interface Fault {
  /** Path of the member, for example `changes[2].field`. */
  readonly field: string;
  /** The rest of a sentence, for example `must be 1 to 256 characters`. */
  readonly rule: string;
}

/** What the rules look at. */
export interface CheckedEntry {
  readonly id: string;
  readonly timestamp?: Timestamp | undefined;
  readonly contextType: string;
  readonly contextId: string;
  readonly namespace: string;
  readonly changes: readonly CheckedChange[];
}

/** A change of an entry; its values are checked by `valueFault`. */
export interface CheckedChange {
  readonly changeType: number;
  readonly type: string;
  readonly field: string;
}

/** Longest serialized entry, in bytes, as a line of an import. */
export const maxEntryBytes = limits.lineBytes;

const maxChanges = 10_000;

/**
 * The first rule that an entry breaks, undefined when it is good.
 *
 * @param isRestored whether it is from an export: then it may be one of this system's own, which have any number of
 * changes.
 */
export function entryFault(entry: CheckedEntry, isRestored: boolean): Fault | undefined {
  const { id, timestamp, contextType, contextId, namespace, changes } = entry;
  const faults: (Fault | undefined)[] = [
    ruled("id", identifier(id)),
    ruled(
      "id",
      !isRestored && isOwnEntryId(id) && "must not have the form of this system's own ids",
    ),
    ruled("timestamp", observedAtFault(timestamp)),
    ruled("contextType", identifier(contextType)),
    ruled("contextId", identifier(contextId)),
    ruled("namespace", namespace !== "" && identifier(namespace)),
    ruled(
      "changes",
      (changes.length === 0 || (changes.length > maxChanges && !isRestored)) &&
        `must have 1 to ${maxChanges} elements`,
    ),
  ];
  return faults.find((fault) => fault !== undefined) ?? firstOf(changes, changeFault);
}

/** The rule that the identity of a subject breaks, undefined when it is good. */
export function keyFault(key: readonly string[]): Fault | undefined {
  const isKey = key.length > 0 && key.every((part) => identifier(part) === undefined);
  return isKey ? undefined : { field: "key", rule: "must be one or more identifiers" };
}

/** The first rule that a value breaks: text in it must be storable anywhere. */
export function valueFault(field: string, json: JsonValue): Fault | undefined {
  return isCleanJson(json)
    ? undefined
    : { field, rule: "must not contain NUL or a lone surrogate" };
}

function changeFault(change: CheckedChange, index: number): Fault | undefined {
  const path = `changes[${index}]`;
  const { changeType, type, field } = change;
  return (
    ruled(
      `${path}.changeType`,
      (changeType < 1 || changeType > 3) && "must be insert, update or delete",
    ) ??
    ruled(`${path}.field`, identifier(field)) ??
    ruled(`${path}.type`, type !== "" && identifier(type))
  );
}

function isCleanJson(json: JsonValue): boolean {
  if (typeof json === "string") return isCleanText(json);
  if (typeof json !== "object" || json === null) return true;
  if (Array.isArray(json)) return json.every(isCleanJson);
  return Object.entries(json).every(([name, value]) => isCleanText(name) && isCleanJson(value));
}

function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function ruled(field: string, rule: string | false | undefined): Fault | undefined {
  return rule === false || rule === undefined ? undefined : { field, rule };
}

function firstOf<Element>(
  elements: readonly Element[],
  fault: (element: Element, index: number) => Fault | undefined,
): Fault | undefined {
  for (const [index, element] of elements.entries()) {
    const found = fault(element, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
