import { appendToLog } from "@storefront/change-feed";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { lockWriters } from "@storefront/database";
import type { Database, Transaction } from "@storefront/database";
import { MemberFault } from "@storefront/import-format";
import type { FieldViolation } from "@storefront/rpc";
import type { Constraint, ProposedWrite, RecordKind } from "../record-kind.ts";
import { applyObservation, toLogEntry } from "./apply-observation.ts";
import type { KeyState, Observation, StateChange } from "./apply-observation.ts";
import { compileKind, keyText } from "./compiled-kind.ts";
import type { CompiledKind } from "./compiled-kind.ts";
import { loadKeyStates } from "./load-key-states.ts";
import { storeKeyStates } from "./store-key-states.ts";

/** Why one observation of a batch was rejected. */
export interface ObservationRejection {
  /** Position in the batch, from 0. */
  readonly index: number;
  /** The invalid member and the rule, as a sentence for people. */
  readonly reason: string;
  /** Path of the invalid member, such as `keyImages[2].url`. */
  readonly field: string;
}

/** The result of a batch. */
export interface BatchResult {
  /** One for each observation. */
  readonly outcomes: IngestOutcome[];
  readonly rejections: ObservationRejection[];
}

/** An observation, or the reason that there is none at its position. */
export type BatchElement = Observation | { readonly rejected: { reason: string; field: string } };

/** Applies batches of observations to the records of one service. */
export type BatchApplier = (
  database: Database,
  elements: readonly BatchElement[],
) => Promise<BatchResult>;

interface Accepted {
  readonly index: number;
  readonly observation: Observation;
  readonly compiled: CompiledKind;
  readonly key: readonly string[];
}

interface AppliedElement {
  readonly index: number;
  readonly kind: string;
  readonly outcome: IngestOutcome;
  /** The invalid member, if any, and the rule that the state broke. */
  readonly fault: FieldViolation | undefined;
}

/**
 * Creates the function that applies batches to the records of one schema. A batch is one transaction
 * under the schema's writer lock: rows, tombstones and change log are all written, or none. An invalid
 * observation is rejected alone.
 */
export function createBatchApplier(schema: string, kinds: readonly RecordKind[]): BatchApplier {
  const compiledKinds = new Map(kinds.map((kind) => [kind.name, compileKind(kind)]));
  return async (database, elements) => {
    const outcomes = elements.map((): IngestOutcome => IngestOutcome.REJECTED);
    const rejections: ObservationRejection[] = [];
    const accepted: Accepted[] = [];
    for (const [index, element] of elements.entries()) {
      const checked = "rejected" in element ? element : check(compiledKinds, element);
      if ("rejected" in checked) rejections.push({ index, ...checked.rejected });
      else accepted.push({ index, ...checked });
    }
    if (accepted.length === 0) return { outcomes, rejections };
    const applied = await database.transaction(async (tx) => {
      await lockWriters(tx, schema);
      const results: AppliedElement[] = [];
      for (const run of runsOf(accepted)) results.push(...(await applyRun(tx, schema, run)));
      return results;
    });
    for (const { index, kind, outcome, fault } of applied) {
      outcomes[index] = outcome;
      if (fault === undefined) continue;
      rejections.push({ index, reason: sentence(kind, fault), field: fault.field });
    }
    return { outcomes, rejections: rejections.toSorted((a, b) => a.index - b.index) };
  };
}

function check(
  compiledKinds: ReadonlyMap<string, CompiledKind>,
  observation: Observation,
): Omit<Accepted, "index"> | { rejected: { reason: string; field: string } } {
  const { kind, operation, record } = observation;
  const compiled = compiledKinds.get(kind);
  if (compiled === undefined) {
    return { rejected: { reason: `${kind} is no kind of this service`, field: "" } };
  }
  try {
    if (operation === "delete") compiled.checkIdentity(record);
    else compiled.check(record);
  } catch (error) {
    if (!(error instanceof MemberFault)) throw error;
    const reason = sentence(kind, { field: error.path, description: error.rule });
    return { rejected: { reason, field: error.path } };
  }
  return { observation, compiled, key: compiled.keyOf(record) };
}

function sentence(kind: string, { field, description }: FieldViolation): string {
  return `${[kind, field].filter(Boolean).join(".")} ${description}`;
}

/** The observations in order; each of a constraining kind is a separate run. */
function runsOf(accepted: readonly Accepted[]): Accepted[][] {
  const runs: Accepted[][] = [];
  let isAlone = true;
  for (const each of accepted) {
    const wasAlone = isAlone;
    isAlone = each.compiled.kind.isConstraining === true;
    if (isAlone || wasAlone) runs.push([each]);
    else runs.at(-1)?.push(each);
  }
  return runs;
}

function proposedWrite({ key, observation: { operation, record } }: Accepted): ProposedWrite {
  return { key, record: operation === "delete" ? undefined : record };
}

async function applyRun(
  tx: Transaction,
  schema: string,
  accepted: readonly Accepted[],
): Promise<AppliedElement[]> {
  const statesByKind = new Map<CompiledKind, Map<string, KeyState>>();
  const constraints = new Map<CompiledKind, Constraint>();
  for (const [compiled, ofKind] of Map.groupBy(accepted, (each) => each.compiled)) {
    const keys = new Map(ofKind.map(({ key }) => [keyText(key), key]));
    statesByKind.set(compiled, await loadKeyStates(tx, schema, compiled, [...keys.values()]));
    const constraint = await compiled.kind.constraint?.(tx, ofKind.map(proposedWrite));
    if (constraint !== undefined) constraints.set(compiled, constraint);
  }
  const changes: StateChange[] = [];
  const applied = accepted.map(({ index, compiled, key, observation }) => {
    const state = statesByKind.get(compiled)?.get(keyText(key));
    if (state === undefined) throw new TypeError("every key of the batch was loaded");
    const { outcome, change, fault } = applyObservation(
      state,
      observation,
      constraints.get(compiled),
    );
    if (change !== undefined) changes.push(change);
    return { index, kind: compiled.kind.name, outcome, fault };
  });
  for (const [compiled, states] of statesByKind) {
    await storeKeyStates(tx, schema, compiled, states.values());
  }
  await notifyKinds(tx, changes);
  await appendToLog(tx, schema, changes.map(toLogEntry));
  return applied;
}

async function notifyKinds(tx: Transaction, changes: readonly StateChange[]): Promise<void> {
  for (const [{ kind }, ofKind] of Map.groupBy(changes, (change) => change.compiled)) {
    await kind.onWritten?.(
      tx,
      ofKind.map(({ key, observedAt, isFirst, after }) => ({
        key,
        observedAt,
        isFirst,
        after: after && { record: after.record, bytes: after.bytes },
      })),
    );
  }
}
