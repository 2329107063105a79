import { getExtension, getOption, hasExtension, isFieldSet } from "@bufbuild/protobuf";
import type { DescExtension, DescMessage, Message } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import {
  EnumRulesSchema,
  predefined,
  RepeatedRulesSchema,
  StringRulesSchema,
} from "@storefront/contracts/buf/validate/validate";
import type {
  DoubleRules,
  EnumRules,
  Int32Rules,
  Int64Rules,
  RepeatedRules,
  StringRules,
} from "@storefront/contracts/buf/validate/validate";
import {
  file_storefront_rule_v1_rule,
  identifier as identifierExtension,
} from "@storefront/contracts/rule/v1/rule";

/** Bounds of numbers, which have the same form for all types. */
export type NumberRules = DoubleRules | Int32Rules | Int64Rules;

/** The contract's rules for a text. */
export function stringRules(rules: StringRules): Rule[] {
  const { minLen, maxLen, notContains } = rules;
  const predefinedRules = file_storefront_rule_v1_rule.extensions.filter(
    (extension) => extension.extendee === StringRulesSchema && hasExtension(rules, extension),
  );
  requireOnly(
    StringRulesSchema,
    rules,
    ["minLen", "maxLen", "notContains"],
    predefinedRules.map(({ number }) => number),
  );
  return [
    ...predefinedRules.filter((rule) => getExtension(rules, rule) === true).map(patternRule),
    ...(minLen > 0n || maxLen > 0n ? [lengthRule(Number(minLen), Number(maxLen))] : []),
    ...(notContains === "" ? [] : [absenceRule(notContains)]),
  ];
}

/** The bounds of a number; one that is not finite is outside of all bounds. */
export function numberRules(schema: DescMessage, rules: NumberRules): Rule[] {
  requireOnly(schema, rules, ["gte", "lte"]);
  const { case: least, value: min } = rules.greaterThan;
  const { case: most, value: max } = rules.lessThan;
  const isIn = (value: unknown): boolean =>
    (typeof value === "number" || typeof value === "bigint") &&
    !Number.isNaN(value) &&
    !(least === "gte" && value < min) &&
    !(most === "lte" && value > max);
  const sentence =
    most === undefined
      ? Number(min) === 0
        ? "must not be negative"
        : `must be at least ${min}`
      : least === undefined
        ? `must be at most ${max}`
        : `must be ${min} to ${max}`;
  return least === undefined && most === undefined ? [] : [ruleOf(isIn, sentence)];
}

/** The allowed values of an enum; `known` has those that it defines. */
export function enumRules(rules: EnumRules, known: ReadonlySet<number>): Rule[] {
  requireOnly(EnumRulesSchema, rules, ["definedOnly", "notIn"]);
  const { definedOnly, notIn } = rules;
  const isIn = (value: unknown): boolean =>
    typeof value === "number" && !(definedOnly && !known.has(value)) && !notIn.includes(value);
  return definedOnly || notIn.length > 0 ? [ruleOf(isIn, "must be a known value")] : [];
}

/** Rules for the number of elements of a list and their uniqueness, without those of its elements. */
export function listRules(rules: RepeatedRules): Rule[] {
  requireOnly(RepeatedRulesSchema, rules, ["minItems", "maxItems", "unique", "items"]);
  const [min, max] = [Number(rules.minItems), Number(rules.maxItems)];
  const isIn = (value: unknown): boolean =>
    Array.isArray(value) && value.length >= min && !(max > 0 && value.length > max);
  return [
    ...(min > 0 || max > 0 ? [ruleOf(isIn, `must have ${rangeOf(min, max)} elements`)] : []),
    ...(rules.unique ? [ruleOf(isUnique, "must have no element twice")] : []),
  ];
}

function isUnique(value: unknown): boolean {
  return Array.isArray(value) && new Set(value).size === value.length;
}

/** The one regular expression of a rule that `storefront.rule.v1` defines, and its sentence. */
function patternRule(extension: DescExtension): Rule {
  const [rule] = getOption(extension, predefined).cel;
  const source = /^!rule \|\| this\.matches\(r'(.+)'\)$/u.exec(rule?.expression ?? "")?.[1];
  if (rule === undefined || source === undefined) {
    throw new TypeError(`${extension.typeName} is no rule of one regular expression`);
  }
  const pattern = new RegExp(source, "u");
  return ruleOf((value) => typeof value === "string" && pattern.test(value), rule.message);
}

function lengthRule(min: number, max: number): Rule {
  const isIn = (value: unknown): boolean =>
    typeof value === "string" &&
    (min === 0 || isLongerThan(value, min - 1)) &&
    !(max > 0 && isLongerThan(value, max));
  return ruleOf(isIn, `must be ${rangeOf(min, max)} characters`);
}

/** Whether the text has more than `max` code points. */
export function isLongerThan(text: string, max: number): boolean {
  // A code point is one or two UTF-16 units, so most strings need no counting.
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let count = 0;
  for (const _ of text) count += 1;
  return count > max;
}

function absenceRule(text: string): Rule {
  const name = text === "\0" ? "NUL" : JSON.stringify(text);
  const isAbsent = (value: unknown): boolean => typeof value === "string" && !value.includes(text);
  return ruleOf(isAbsent, `must not contain ${name}`);
}

function rangeOf(min: number, max: number): string {
  if (max === 0) return `at least ${min}`;
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}

function ruleOf(isIn: (value: unknown) => boolean, sentence: string): Rule {
  return (value) => (isIn(value) ? undefined : sentence);
}

/**
 * Throws for an unsupported rule, which otherwise would be ignored.
 *
 * @param extensions numbers of the supported extensions
 */
function requireOnly(
  schema: DescMessage,
  rules: Message,
  names: readonly string[],
  extensions: readonly number[] = [],
): void {
  for (const field of schema.fields) {
    if (names.includes(field.localName) || !isFieldSet(rules, field)) continue;
    throw new TypeError(`${field.toString()} is a rule that is not checked`);
  }
  const other = rules.$unknown?.find(({ no }) => !extensions.includes(no));
  if (other !== undefined) {
    throw new TypeError(
      `extension ${other.no} of ${schema.typeName} is a rule that is not checked`,
    );
  }
}

/**
 * The rule that a value breaks, as the rest of a sentence (`must be at most 512 characters`), or undefined
 * if none.
 */
export type Rule = (value: unknown) => string | undefined;

/** The first rule that a value breaks. */
export function firstFault(rules: readonly Rule[], value: unknown): string | undefined {
  for (const rule of rules) {
    const fault = rule(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** An identifier, or a reference to one: 1 to 256 characters without control characters. */
export const identifier: Rule = patternRule(identifierExtension);

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z: the range of google.protobuf.Timestamp. */
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;

/** Whether a Timestamp from the wire is an instant of the years 1 to 9999. */
export function isTimestamp({ seconds, nanos }: Pick<Timestamp, "seconds" | "nanos">): boolean {
  return seconds >= minSeconds && seconds <= maxSeconds && nanos >= 0 && nanos <= 999_999_999;
}
