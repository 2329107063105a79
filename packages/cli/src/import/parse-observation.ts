import type { JsonObject } from "@bufbuild/protobuf";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { kinds, parseTimestamp } from "@storefront/import-format";
import type { Kind } from "@storefront/import-format";

/** A line with the form of an observation; its record is not checked yet. */
export interface ParsedObservation {
  kind: Kind;
  operation: ObservationOperation;
  /** Milliseconds since 1970; undefined when the line has none. */
  observedAtMs: number | undefined;
  record: JsonObject;
}

/** A line that is not an observation; the message is for people. */
export class ObservationError extends Error {
  override readonly name = "ObservationError";
}

/**
 * Reads one line of the import format.
 *
 * @throws ObservationError when it is not JSON or breaks a rule of the observation's own members.
 */
export function parseLine(text: string): ParsedObservation {
  return parseObservation(parseJson(text));
}

/** As {@link parseLine}, for parsed JSON. */
export function parseObservation(value: unknown): ParsedObservation {
  if (!isObject(value)) throw new ObservationError("the line must be a JSON object");
  const { kind: name, op, restored, observedAt, record } = value;
  if (typeof name !== "string") throw new ObservationError("kind must be a string");
  const kind = kinds.get(name);
  if (kind === undefined) {
    throw new ObservationError(`kind ${JSON.stringify(shortened(name))} is unknown`);
  }
  if (!isObject(record)) throw new ObservationError("record must be an object");
  return {
    kind,
    operation: operationOf(op, restored),
    observedAtMs: observedAtMsOf(observedAt),
    record,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ObservationError("the line is not JSON", { cause: error });
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function operationOf(op: unknown, restored: unknown): ObservationOperation {
  if (restored !== undefined && restored !== null && typeof restored !== "boolean") {
    throw new ObservationError("restored must be true or false");
  }
  if (op === "delete") return ObservationOperation.DELETE;
  if (op !== undefined && op !== null && op !== "upsert") {
    throw new ObservationError("op must be upsert or delete");
  }
  return restored === true ? ObservationOperation.RESTORE : ObservationOperation.UPSERT;
}

function observedAtMsOf(observedAt: unknown): number | undefined {
  if (observedAt === undefined || observedAt === null) return undefined;
  const time = typeof observedAt === "string" ? parseTimestamp(observedAt) : undefined;
  if (time !== undefined) return time.getTime();
  throw new ObservationError("observedAt must be ISO 8601 in UTC with date, time and Z");
}

/** A value for a message; any file may have long ones. */
function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
