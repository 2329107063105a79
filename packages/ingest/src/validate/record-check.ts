import { ScalarType, isMessage } from "@bufbuild/protobuf";
import type { DescField, DescMessage, JsonObject, Message } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import {
  fieldsOf,
  jsonFault,
  maxInteger,
  MemberFault,
  stringFault,
  within,
} from "@storefront/import-format";
import { fieldRules, firstFault, isTimestamp, requireFieldRulesOnly } from "@storefront/rpc";
import type { FieldRules, Rule } from "@storefront/rpc";

type Check = (value: unknown) => void;

/**
 * Compiles what is checked of every record of a kind: the rules of the contract, and that strings
 * have neither NUL nor lone surrogates, timestamps are of the years 1 to 9999 and integers within
 * 2^53. The check throws MemberFault for the first member at fault, and cuts timestamps to the
 * millisecond in place.
 *
 * @throws TypeError for a rule that is not checked here.
 */
export function compileRecordCheck(schema: DescMessage): (record: Message) => void {
  requireFieldRulesOnly(schema);
  const fields = schema.fields.map((field) => {
    const rules = fieldRules(field);
    const isOther = rules.ignoresZero || rules.ignoresMessage || field.oneof !== undefined;
    if (isOther || field.fieldKind === "map") {
      throw new TypeError(`${field.toString()} is of a form that is not checked in records`);
    }
    return { name: field.localName, isRequired: rules.isRequired, check: fieldCheck(field, rules) };
  });
  return (message) => {
    const values = fieldsOf(message);
    for (const { name, isRequired, check } of fields) {
      const value = values[name];
      if (value === undefined) {
        if (isRequired) throw new MemberFault(name, "is required");
        continue;
      }
      try {
        check(value);
      } catch (error) {
        throw within(name, error);
      }
    }
  };
}

function fieldCheck(field: DescField, rules: FieldRules): Check {
  if (field.fieldKind !== "list") return withRules(rules.value, valueCheck(field));
  const element = withRules(rules.element, valueCheck(field));
  return withRules(rules.value, (list) => {
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

function withRules(rules: readonly Rule[], check: Check): Check {
  if (rules.length === 0) return check;
  return (value) => {
    check(value);
    const fault = firstFault(rules, value);
    if (fault !== undefined) throw new MemberFault("", fault);
  };
}

function valueCheck(field: DescField): Check {
  if (field.message !== undefined) {
    if (field.message.typeName === TimestampSchema.typeName) return checkTimestamp;
    if (field.message.typeName === "google.protobuf.Struct") return checkStruct;
    const check = compileRecordCheck(field.message);
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
