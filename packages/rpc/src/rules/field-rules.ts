import { getOption, hasOption } from "@bufbuild/protobuf";
import type { DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import {
  DoubleRulesSchema,
  field as fieldOption,
  FieldRulesSchema,
  Ignore,
  Int32RulesSchema,
  Int64RulesSchema,
  message as messageOption,
  oneof as oneofOption,
} from "@storefront/contracts/buf/validate/validate";
import type { FieldRules as RulesMessage } from "@storefront/contracts/buf/validate/validate";
import { enumRules, listRules, numberRules, stringRules } from "./value-rules.ts";
import type { Rule } from "./value-rules.ts";

/** The contract's rules for the values of a field. */
export interface FieldRules {
  /** Of the value; of a list, as a whole. */
  readonly value: readonly Rule[];
  /** Of each element of a list. */
  readonly element: readonly Rule[];
  /** Whether a value is required. */
  readonly isRequired: boolean;
  /** Whether the rules apply only to values that are not zero, empty or false. */
  readonly ignoresZero: boolean;
  /** Whether the rules of its message are ignored; of a list, those of its elements. */
  readonly ignoresMessage: boolean;
}

const none: FieldRules = {
  value: [],
  element: [],
  isRequired: false,
  ignoresZero: false,
  ignoresMessage: false,
};

/**
 * The rules of a field by `buf.validate` and `storefront.rule.v1` in the contract.
 *
 * @throws TypeError for an unsupported one.
 */
export function fieldRules(field: DescField): FieldRules {
  if (!hasOption(field, fieldOption)) return none;
  const rules = getOption(field, fieldOption);
  if (field.fieldKind === "map") throw unchecked(field);
  if (rules.required && field.fieldKind !== "message") throw unchecked(field);
  if (rules.ignore === Ignore.IF_ZERO_VALUE && field.fieldKind === "list") throw unchecked(field);
  if (rules.ignore === Ignore.ALWAYS) return { ...none, ignoresMessage: true };
  const items = rules.type.case === "repeated" ? rules.type.value.items : undefined;
  return {
    value: valueRules(field, rules),
    element: items === undefined ? [] : elementRules(field, items),
    isRequired: rules.required,
    ignoresZero: rules.ignore === Ignore.IF_ZERO_VALUE,
    ignoresMessage: items?.ignore === Ignore.ALWAYS,
  };
}

/** Throws TypeError for a message with rules that are not of a field: these are not supported. */
export function requireFieldRulesOnly(schema: DescMessage): void {
  if (hasOption(schema, messageOption)) throw unchecked(schema);
  for (const oneof of schema.oneofs) if (hasOption(oneof, oneofOption)) throw unchecked(oneof);
}

function elementRules(field: DescField, items: RulesMessage): Rule[] {
  if (items.ignore === Ignore.ALWAYS) return [];
  if (items.required || items.ignore === Ignore.IF_ZERO_VALUE) throw unchecked(field);
  return valueRules(field, items);
}

function valueRules(field: DescField, rules: RulesMessage): Rule[] {
  const hasOther =
    rules.cel.length > 0 || rules.celExpression.length > 0 || (rules.$unknown?.length ?? 0) > 0;
  if (hasOther) throw unchecked(field);
  const { type } = rules;
  switch (type.case) {
    case undefined:
      return [];
    case "string":
      return stringRules(type.value);
    case "double":
      return numberRules(DoubleRulesSchema, type.value);
    case "int32":
      return numberRules(Int32RulesSchema, type.value);
    case "int64":
      return numberRules(Int64RulesSchema, type.value);
    case "enum":
      return enumRules(type.value, new Set(field.enum?.values.map(({ number }) => number)));
    case "repeated":
      return listRules(type.value);
    default:
      throw new TypeError(
        `${field.toString()}: ${FieldRulesSchema.typeName}.${type.case} is not checked`,
      );
  }
}

function unchecked(desc: DescField | DescMessage | DescOneof): TypeError {
  return new TypeError(`${desc.toString()} has a rule that is not checked`);
}
