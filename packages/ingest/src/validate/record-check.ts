import { ScalarType, isMessage } from "@bufbuild/protobuf";
import type { DescField, DescMessage, JsonObject, Message } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { fieldsOf } from "../json/fields.ts";
import { MemberFault, within } from "../json/member-fault.ts";
import { maxInteger } from "../json/read-value.ts";
import { jsonFault, stringFault } from "../json/strings.ts";
import { isTimestamp } from "../json/timestamps.ts";
import type { Rule } from "../limits.ts";

/**
 * Rules by path: `title`, `seller.name`, `keyImages` for a list as a whole, `tags[].id` and
 * `collectionOfferIds[]` for its elements.
 */
export type RulesByPath = Readonly<Record<string, Rule>>;

type Check = (value: unknown) => void;

/**
 * Compiles what is checked of every record of a kind: the rules given, and that strings have neither
 * NUL nor lone surrogates, timestamps are of the years 1 to 9999 and integers within 2^53. The check
 * throws MemberFault for the first member at fault, and cuts timestamps to the millisecond in place.
 */
export function compileRecordCheck(
  schema: DescMessage,
  rules: RulesByPath,
): (record: Message) => void {
  const unused = new Set(Object.keys(rules));
  const check = messageCheck(schema, "", (path) => {
    unused.delete(path);
    return rules[path];
  });
  if (unused.size > 0) {
    throw new TypeError(`${schema.typeName} has no member ${[...unused].join(", ")}`);
  }
  return check;
}

function messageCheck(
  schema: DescMessage,
  path: string,
  ruleAt: (path: string) => Rule | undefined,
): (message: Message) => void {
  const fields = schema.fields.map((field) => ({
    name: field.localName,
    check: fieldCheck(field, path === "" ? field.localName : `${path}.${field.localName}`, ruleAt),
  }));
  return (message) => {
    const values = fieldsOf(message);
    for (const { name, check } of fields) {
      const value = values[name];
      if (value === undefined) continue;
      try {
        check(value);
      } catch (error) {
        throw within(name, error);
      }
    }
  };
}

function fieldCheck(
  field: DescField,
  path: string,
  ruleAt: (path: string) => Rule | undefined,
): Check {
  if (field.fieldKind !== "list") return withRule(ruleAt(path), valueCheck(field, path, ruleAt));
  const listRule = ruleAt(path);
  const element = withRule(ruleAt(`${path}[]`), valueCheck(field, `${path}[]`, ruleAt));
  return withRule(listRule, (list) => {
    if (!Array.isArray(list)) return;
    for (let index = 0; index < list.length; index += 1) {
      try {
        element(list[index]);
      } catch (error) {
        throw within(`[${index}]`, error);
      }
    }
  });
}

function withRule(rule: Rule | undefined, check: Check): Check {
  if (rule === undefined) return check;
  return (value) => {
    check(value);
    const fault = rule(value);
    if (fault !== undefined) throw new MemberFault("", fault);
  };
}

function valueCheck(
  field: DescField,
  path: string,
  ruleAt: (path: string) => Rule | undefined,
): Check {
  if (field.message !== undefined) {
    if (field.message.typeName === TimestampSchema.typeName) return checkTimestamp;
    if (field.message.typeName === "google.protobuf.Struct") return checkStruct;
    const check = messageCheck(field.message, path, ruleAt);
    return (value) => check(value as Message);
  }
  if (field.scalar === ScalarType.STRING) return checkString;
  if (field.scalar === ScalarType.INT64) return checkInteger;
  return field.scalar === ScalarType.DOUBLE ? checkNumber : () => undefined;
}

function checkString(value: unknown): void {
  const rule = typeof value === "string" ? stringFault(value) : undefined;
  if (rule !== undefined) throw new MemberFault("", rule);
}

function checkInteger(value: unknown): void {
  if (typeof value !== "bigint" || (value <= maxInteger && value >= -maxInteger)) return;
  throw new MemberFault("", "must be an integer of at most 2^53");
}

function checkNumber(value: unknown): void {
  if (!Number.isFinite(value)) throw new MemberFault("", "must be a finite number");
}

function checkTimestamp(value: unknown): void {
  if (!isMessage(value, TimestampSchema)) return;
  if (!isTimestamp(value)) throw new MemberFault("", "must be a time of the years 1 to 9999");
  value.nanos -= value.nanos % 1_000_000;
}

function checkStruct(value: unknown): void {
  const fault = jsonFault(value as JsonObject);
  if (fault !== undefined) throw new MemberFault(fault.path, fault.rule);
}
