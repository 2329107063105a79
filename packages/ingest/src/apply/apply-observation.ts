import { toBinary, fromJson } from "@bufbuild/protobuf";
import type { JsonObject, Message, JsonValue, MessageInitShape } from "@bufbuild/protobuf";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { recordToJson } from "@storefront/import-format";
import { changesBetween, deletion, firstSight } from "../diff/changes-between.ts";
import type { MemberChange } from "../diff/changes-between.ts";
import { recordSizeFault } from "../validate/limits.ts";
import type { SizedRecord } from "../validate/limits.ts";
import type { Constraint } from "../record-kind.ts";
import type { CompiledKind } from "./compiled-kind.ts";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { LogEntry } from "@storefront/change-feed";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { ChangeSchema } from "@storefront/contracts/type/v1/change";
import type { FieldViolation } from "@storefront/rpc";

/** The state of a record at one time. */
export interface Observation {
  /** Name of the kind. */
  readonly kind: string;
  /**
   * A deletion's record needs its identity only. To restore is to upsert a record of an export with its
   * changelog: its first sight is then not a change.
   */
  readonly operation: "upsert" | "delete" | "restore";
  /** Whether it is from another stack whose entries are imported too: then no write of it is a change. */
  readonly isMirrored?: boolean;
  readonly observedAt: Date;
  /** The whole state. Its timestamps are truncated to the millisecond in place. */
  readonly record: Message;
}

/** The state of one key while a batch is applied. */
export interface KeyState {
  readonly compiled: CompiledKind;
  readonly key: readonly string[];
  /** When the newest state was observed; undefined when the key is unknown. */
  observedAtMs: number | undefined;
  /** The record; undefined when there is none. */
  current: Snapshot | undefined;
  /** Namespace of the record, or the last known one of a deleted record. */
  namespace: string;
  /** Whether the database has a row, or a tombstone, as the batch begins. */
  readonly hasRow: boolean;
  readonly hasTombstone: boolean;
  /** Whether the state, or only its time, differs from what the database has. */
  stateChanged: boolean;
  timeChanged: boolean;
}

/** A write that changes something. */
export interface StateChange {
  readonly compiled: CompiledKind;
  readonly key: readonly string[];
  readonly namespace: string;
  readonly observedAt: Date;
  /** Whether the key was unknown before. */
  readonly isFirst: boolean;
  readonly changes: readonly MemberChange[];
  /** Undefined when the record was deleted. */
  readonly after: Snapshot | undefined;
}

/** The result of an observation. */
export interface Applied {
  readonly outcome: IngestOutcome;
  /** Present when it was written. */
  readonly change?: StateChange;
  /** Present when it was rejected: the rule that the state breaks, and the member, if any. */
  readonly fault?: FieldViolation;
}

/**
 * Applies one observation to the state of its key, see docs/import-format.md
 * ("What a write does"). The observation is valid and of that key; `state` is updated.
 */
export function applyObservation(
  state: KeyState,
  observation: Observation,
  constraint?: Constraint,
): Applied {
  const { kind } = state.compiled;
  const observedAtMs = observation.observedAt.getTime();
  const knownMs = state.observedAtMs;
  const isNewer = knownMs === undefined || observedAtMs > knownMs;
  const record =
    observation.operation === "delete"
      ? undefined
      : kind.normalize === undefined
        ? observation.record
        : kind.normalize(observation.record);
  const before = state.current;
  const after = record === undefined ? undefined : nextSnapshot(state, record);
  const sizeFault = after && recordSizeFault(sizeOf(state.compiled, after));
  if (sizeFault !== undefined) return rejected({ field: "", description: sizeFault });
  const differences = differencesBetween(state.compiled, before, after);
  if (!isNewer) {
    const isSame = differences === undefined;
    return { outcome: isSame ? IngestOutcome.UNCHANGED : IngestOutcome.STALE };
  }
  if (differences !== undefined && observation.operation !== "restore") {
    const fault = constraint?.check({ key: state.key, record: after?.record });
    if (fault !== undefined) return rejected(fault);
  }
  state.observedAtMs = observedAtMs;
  state.timeChanged = true;
  if (differences === undefined) return { outcome: IngestOutcome.UNCHANGED };
  const named = after ?? before;
  if (named !== undefined) state.namespace = kind.namespace?.(named.record) ?? "";
  state.current = after;
  state.stateChanged = true;
  const { compiled, key, namespace } = state;
  const isFirst = knownMs === undefined;
  const isRestored = observation.operation === "restore" && isFirst;
  const isReported = isRestored || observation.isMirrored === true;
  const changes = kind.summary === undefined || isReported ? [] : differences;
  return {
    outcome: IngestOutcome.WRITTEN,
    change: {
      compiled,
      key,
      namespace,
      observedAt: observation.observedAt,
      isFirst,
      changes,
      after,
    },
  };
}

function rejected(fault: FieldViolation): Applied {
  return { outcome: IngestOutcome.REJECTED, fault };
}

function nextSnapshot({ compiled, current }: KeyState, record: Message): Snapshot {
  const merged = current && compiled.kind.merge?.(current.record, record);
  return Snapshot.of(compiled, merged ?? record);
}

function sizeOf({ kind }: CompiledKind, state: Snapshot): SizedRecord {
  return { kind: kind.name, sizeBytes: state.bytes.length, json: () => state.json };
}

/** The differences of the states for the changelog; undefined when they are the same state. */
function differencesBetween(
  { kind, members, identityLists, nullIsValue }: CompiledKind,
  before: Snapshot | undefined,
  after: Snapshot | undefined,
): MemberChange[] | undefined {
  if (before === undefined || after === undefined) {
    if (after !== undefined) return [firstSight(kind.summary?.(after.record) ?? {})];
    return before && [deletion(kind.summary?.(before.record) ?? {})];
  }
  // Equal states mostly have equal bytes; equal bytes are always equal states.
  if (Buffer.compare(before.bytes, after.bytes) === 0) return undefined;
  // Free-form members are not in a table, but only a changelog needs its order.
  const compared =
    kind.summary === undefined
      ? [...new Set([...Object.keys(before.json), ...Object.keys(after.json)])]
      : members;
  const changes = changesBetween({ members: compared, identityLists }, before.json, after.json);
  const isSame = changes.length === 0 && !(nullIsValue && nullsDiffer(before.json, after.json));
  return isSame ? undefined : changes;
}

/** Whether a member is null in one state only; for the changelog null is the same as absent. */
function nullsDiffer(before: JsonObject, after: JsonObject): boolean {
  const names = Object.keys({ ...before, ...after });
  return names.some((name) => (before[name] === null) !== (after[name] === null));
}

/** A state of a record in its three forms, each computed on first use. */
export class Snapshot {
  readonly bytes: Uint8Array;
  readonly #compiled: CompiledKind;
  #record: Message | undefined;
  #json: JsonObject | undefined;

  private constructor(compiled: CompiledKind, bytes: Uint8Array, record?: Message) {
    this.#compiled = compiled;
    this.bytes = bytes;
    this.#record = record;
  }

  /** A state as it is stored. */
  static stored(compiled: CompiledKind, bytes: Uint8Array): Snapshot {
    return new Snapshot(compiled, bytes);
  }

  /** A state to be stored; members that are not in the contract are omitted. */
  static of(compiled: CompiledKind, record: Message): Snapshot {
    const bytes = toBinary(compiled.kind.schema, record, { writeUnknownFields: false });
    return new Snapshot(compiled, bytes, record);
  }

  get record(): Message {
    this.#record ??= this.#compiled.decode(this.bytes);
    return this.#record;
  }

  get json(): JsonObject {
    this.#json ??= recordToJson(this.#compiled.kind.schema, this.record);
    return this.#json;
  }
}

const changeTypes = {
  insert: ChangeType.INSERT,
  update: ChangeType.UPDATE,
  delete: ChangeType.DELETE,
} as const;

/** A write as an entry of the change log. */
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
