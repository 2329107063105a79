import { fromJson } from "@bufbuild/protobuf";
import type { JsonValue, MessageInitShape } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { LogEntry } from "@storefront/change-feed";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { ChangeSchema } from "@storefront/contracts/type/v1/change";
import type { MemberChange } from "../diff/changes-between.ts";
import type { StateChange } from "./apply-observation.ts";

const changeTypes = {
  insert: ChangeType.INSERT,
  update: ChangeType.UPDATE,
  delete: ChangeType.DELETE,
} as const;

/** A write as the change log takes it. */
export function toLogEntry(change: Omit<StateChange, "isFirst">): LogEntry {
  const { compiled, key, namespace, observedAt, changes, after } = change;
  return {
    kind: compiled.kind.name,
    key,
    namespace,
    observedAt,
    changes: changes.map(toChange),
    record: after && { schema: compiled.kind.schema, bytes: after.bytes },
  };
}

function toChange(change: MemberChange): MessageInitShape<typeof ChangeSchema> {
  return {
    changeType: changeTypes[change.changeType],
    type: change.type,
    field: change.field,
    ...(change.oldValue !== undefined && { oldValue: toValue(change.oldValue) }),
    ...(change.newValue !== undefined && { newValue: toValue(change.newValue) }),
  };
}

function toValue(json: JsonValue) {
  return fromJson(ValueSchema, json);
}
