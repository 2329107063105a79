import { create } from "@bufbuild/protobuf";
import type { DescMessage, JsonObject, JsonValue, MessageShape } from "@bufbuild/protobuf";
import { MemberFault } from "./member-fault.ts";
import { fillMessage, messageReader, requireMembers } from "./message-reader.ts";
import { readObject } from "./read-value.ts";

/** How to read a record. */
export interface RecordFromJsonOptions {
  /** Name of the record in error sentences, such as `offer`; default none. */
  readonly name?: string;
  /** Reads these members only, as a deletion needs; all others are ignored and not counted. */
  readonly only?: readonly string[];
}

/** A record that was read. */
export interface ReadRecord<Desc extends DescMessage> {
  readonly record: MessageShape<Desc>;
  /** Members, at any depth, that the kind does not have; they were omitted. */
  readonly unknownMembers: number;
}

/**
 * Reads a record in the import format's form. Null and absent are unknown; timestamps are ISO 8601
 * with date, time and `Z`, truncated to the millisecond; integers are within 2^53. The form is checked here,
 * the rules of a kind where it is stored.
 *
 * @throws RecordFormatError naming a member of a wrong type, or a required one that is missing.
 */
export function recordFromJson<Desc extends DescMessage>(
  schema: Desc,
  json: JsonValue,
  { name = "", only }: RecordFromJsonOptions = {},
): ReadRecord<Desc> {
  const reader = messageReader(schema);
  const state = { unknownMembers: 0 };
  const record = create(schema);
  try {
    const members = readObject(json);
    requireMembers(only ?? reader.required, members);
    fillMessage(reader, record, only === undefined ? members : pick(members, only), state);
  } catch (error) {
    if (!(error instanceof MemberFault)) throw error;
    throw new RecordFormatError(name, error.path, error.rule);
  }
  return { record, unknownMembers: state.unknownMembers };
}

function pick(json: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(json, name)).map((name) => [name, json[name] ?? null]),
  );
}

/** A record without the form of its kind; `message` is a sentence for people. */
export class RecordFormatError extends Error {
  override readonly name = "RecordFormatError";
  /** Path of the member at fault, such as `keyImages[2].width`; empty for the record itself. */
  readonly field: string;

  /**
   * @param prefix start of the path in the sentence, such as `offer`; may be empty.
   * @param rule the rest of the sentence, such as `must be an integer`.
   */
  constructor(prefix: string, field: string, rule: string) {
    const subject = [prefix, field].filter((part) => part !== "").join(".");
    super(`${subject === "" ? "the record" : subject} ${rule}`);
    this.field = field;
  }
}
