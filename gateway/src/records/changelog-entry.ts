import { toJson } from "@bufbuild/protobuf";
import type { JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Value } from "@bufbuild/protobuf/wkt";
import type { ChangeContext } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { Change as ChangeRecord } from "@storefront/contracts/type/v1/change";
import { z } from "zod";
import { changelogContextOf, zChangeContext, zChangeDocument } from "./change-context.ts";
import { instantOf } from "./instant.ts";
import { zList, zObject, zString, zText } from "./members.ts";
import type { Mapped } from "./mapped-fields.ts";

// Any JSON value.
const zValue = z.unknown().optional();

const zChange = zObject("Change", "One difference between two states of a record.", {
  changeType: z
    .enum(["insert", "update", "delete"])
    .meta({ description: "Whether the member came, changed or went." }),
  action: z.enum(["insert", "update", "delete"]).meta({ description: "The same as `changeType`." }),
  type: zText("JSON type of the value.", "string"),
  field: zString("Member of the record; `*` is the whole record.", "title"),
  oldValue: zValue.meta({
    description: "Value before; absent for an insert.",
    example: "Moonlit Harbor",
  }),
  newValue: zValue.meta({
    description: "Value after; absent for a delete.",
    example: "Moonlit Harbour",
  }),
  oldValueRaw: zValue.meta({
    description:
      "Value before as another system wrote it, often JSON in a string; take `oldValue` instead.",
    example: '"Moonlit Harbor"',
    deprecated: true,
  }),
  newValueRaw: zValue.meta({
    description: "Value after as another system wrote it; take `newValue` instead.",
    example: '"Moonlit Harbour"',
    deprecated: true,
  }),
});

type Change = z.output<typeof zChange>;

export const zChangelogEntry = zObject("ChangelogEntry", "One observed change of one record.", {
  _id: zString("Id of the change; its place in the log.", "catalog-000000000001f"),
  timestamp: z
    .string()
    .meta({ format: "date-time", example: "2021-03-16T19:05:41.000Z" })
    .nullable()
    .meta({ description: "When the new state was seen." }),
  metadata: zObject("ChangelogMetadata", "Which record changed, and how.", {
    contextType: zString(
      "`offer`, `item`, `asset`, `build`, `sandbox`, or what another source calls it.",
      "offer",
    ),
    contextId: zString(
      "Id of the record; an asset's is its artifactId.",
      "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
    ),
    context: zChangeContext.nullable().meta({
      description: "Null when the record is unknown, or its lookup failed or took too long.",
    }),
    changes: zList(zChange, "What differs, member by member."),
  }),
  document: zChangeDocument.optional().meta({
    description:
      "The offer; for an item, and for an asset its item, an offer with the members it has; for a build its id, appName and buildVersion. Null as `context` is; absent in the changelist.",
  }),
});

export type ChangelogEntry = z.output<typeof zChangelogEntry>;

const changeTypes = new Map<ChangeType, Change["changeType"]>([
  [ChangeType.INSERT, "insert"],
  [ChangeType.UPDATE, "update"],
  [ChangeType.DELETE, "delete"],
]);

/** An entry without a document; the context is that of its record. */
export function changelogEntryOf(entry: Entry, context: ChangeContext | undefined): ChangelogEntry {
  return {
    _id: entry.id,
    timestamp: instantOf(entry.timestamp),
    metadata: metadataOf(entry, context),
  };
}

/** All of an entry but its outer members, and its namespace, which the record has. */
type Metadata = Mapped<ChangelogEntry["metadata"], Entry, "id" | "timestamp" | "namespace">;

function metadataOf(entry: Entry, context: ChangeContext | undefined): Metadata {
  return {
    contextType: entry.contextType,
    contextId: entry.contextId,
    context: context === undefined ? null : changelogContextOf(context),
    changes: entry.changes.map(changeOf),
  };
}

function changeOf(record: ChangeRecord): Mapped<Change, ChangeRecord> {
  // No other type is stored.
  const changeType = changeTypes.get(record.changeType) ?? "update";
  const change: Change = {
    changeType,
    action: changeType,
    type: record.type === "" ? null : record.type,
    field: record.field,
  };
  const values = {
    oldValue: hydrateValue(record.oldValue, record.oldValueRaw),
    newValue: hydrateValue(record.newValue, record.newValueRaw),
    oldValueRaw: jsonOf(record.oldValueRaw),
    newValueRaw: jsonOf(record.newValueRaw),
  };
  return Object.assign(change, values);
}

// Protobuf's own limit of JSON; a deeper value could not be written into a response.
const depthMax = 100;

/**
 * A value of a change: the canonical one, even when it is null, else the one parsed from what a
 * foreign source wrote; undefined when there is neither.
 */
export function hydrateValue(
  canonical: Value | undefined,
  raw: Value | undefined,
): JsonValue | undefined {
  return canonical === undefined ? parseRaw(jsonOf(raw)) : jsonOf(canonical);
}

/** A free-form value as JSON; undefined when it is absent. */
function jsonOf(value: Value | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  return value.kind.case === undefined ? null : toJson(ValueSchema, value);
}

function parseRaw(raw: JsonValue | undefined): JsonValue | undefined {
  if (typeof raw !== "string") return raw;
  try {
    const parsed = JSON.parse(raw) as JsonValue;
    return isAtMostDeep(parsed, depthMax) ? parsed : raw;
  } catch {
    return raw;
  }
}

function isAtMostDeep(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isAtMostDeep(member, levels - 1));
}
