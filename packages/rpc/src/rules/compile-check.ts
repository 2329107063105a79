import type { DescField, DescMessage, DescOneof, Message, MessageShape } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { FieldViolation } from "../errors/connect-error.ts";
import { fieldRules, requireFieldRulesOnly } from "./field-rules.ts";
import { pageLimits, pageWithin } from "./page-of.ts";
import type { PageRequest } from "./page-of.ts";
import { isTimestamp } from "./value-rules.ts";
import type { Rule } from "./value-rules.ts";

/** Most violations that a check reports: a message can have millions. */
export const maxViolations = 100;

/** Reports the violations of a message in the order of its fields. */
export type MessageCheck = (message: Message) => FieldViolation[];

/** Adds the violations of a value at a path. */
type Collect = (value: unknown, path: string, violations: FieldViolation[]) => void;

const checks = new WeakMap<DescMessage, Collect | undefined>();
const beingCompiled = new Set<DescMessage>();

/**
 * The check of a message, from the rules of `buf.validate` and `storefront.rule.v1` for its fields;
 * undefined without any. Fields are named as in the contract: `offer_ids[3]`. The elements of a list that is
 * too long or too short are not checked, and nothing after 100 violations.
 *
 * @throws TypeError for an unsupported rule.
 */
export function compileCheck(schema: DescMessage): MessageCheck | undefined {
  const collect = messageCheck(schema);
  if (collect === undefined) return undefined;
  return (message) => {
    const violations: FieldViolation[] = [];
    collect(message, "", violations);
    return violations.slice(0, maxViolations);
  };
}

/** The violations of a message that is not a request; see {@link compileCheck}. */
export function violationsOf<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): FieldViolation[] {
  return compileCheck(schema)?.(message) ?? [];
}

function messageCheck(schema: DescMessage): Collect | undefined {
  if (schema.typeName === TimestampSchema.typeName) return timestamp;
  if (schema.typeName.startsWith("google.protobuf.")) return undefined;
  if (checks.has(schema)) return checks.get(schema);
  if (beingCompiled.has(schema)) throw new TypeError(`${schema.typeName} holds itself`);
  requireFieldRulesOnly(schema);
  beingCompiled.add(schema);
  const check = all(schema.members.map(memberCheck));
  beingCompiled.delete(schema);
  checks.set(schema, check);
  return check;
}

function memberCheck(member: DescField | DescOneof): Collect | undefined {
  if (member.kind === "field") return fieldCheck(member, (values) => values[member.localName]);
  return all(
    member.fields.map((field) =>
      fieldCheck(field, (values) => {
        const one = values[member.localName] as { case: string | undefined; value?: unknown };
        return one.case === field.localName ? one.value : undefined;
      }),
    ),
  );
}

function fieldCheck(
  field: DescField,
  read: (values: Record<string, unknown>) => unknown,
): Collect | undefined {
  const { value: rules, element, isRequired, ignoresZero, ignoresMessage } = fieldRules(field);
  const inside = field.message && !ignoresMessage ? messageCheck(field.message) : undefined;
  if (inside !== undefined && field.fieldKind === "map") {
    throw new TypeError(`${field.toString()} has messages with rules, which are not checked`);
  }
  const isList = field.fieldKind === "list";
  const ofValue = all([rulesCheck(rules), isList ? undefined : inside]);
  const ofElements = isList ? listCheck(all([rulesCheck(element), inside])) : undefined;
  const ofPage = pageCheck(field);
  if (!isRequired && all([ofValue, ofElements, ofPage]) === undefined) return undefined;
  return (message, path, violations) => {
    if (violations.length >= maxViolations) return;
    const values = message as Record<string, unknown>;
    const value = read(values);
    const at = path === "" ? field.name : `${path}.${field.name}`;
    if (value === undefined) {
      if (isRequired) violations.push({ field: at, description: "is required" });
      return;
    }
    if (ignoresZero && (value === "" || value === 0 || value === 0n || value === false)) return;
    const before = violations.length;
    ofValue?.(value, at, violations);
    if (violations.length === before) ofElements?.(value, at, violations);
    ofPage?.(message, path, violations);
  };
}

function rulesCheck(rules: readonly Rule[]): Collect | undefined {
  return all(
    rules.map((rule) => (value, field, violations) => {
      const description = rule(value);
      if (description !== undefined) violations.push({ field, description });
    }),
  );
}

function listCheck(element: Collect | undefined): Collect | undefined {
  if (element === undefined) return undefined;
  return (list, path, violations) => {
    for (const [index, value] of (list as unknown[]).entries()) {
      if (violations.length >= maxViolations) return;
      element(value, `${path}[${index}]`, violations);
    }
  };
}

/** The check of `page_size` together with `page`: the page must not skip too many elements. */
function pageCheck(field: DescField): Collect | undefined {
  const limits = pageLimits(field);
  if (limits === undefined) return undefined;
  return (message, _path, violations) => {
    const { offset } = pageWithin(limits, message as object as PageRequest);
    if (offset <= limits.maxOffset) return;
    const description = `must not skip more than ${limits.maxOffset} elements`;
    violations.push({ field: "page", description });
  };
}

const timestamp: Collect = (value, path, violations) => {
  if (isTimestamp(value as Timestamp)) return;
  violations.push({ field: path, description: "must be a time of the years 1 to 9999" });
};

/** Combines several; undefined when there are none. */
function all(collects: readonly (Collect | undefined)[]): Collect | undefined {
  const [first, ...rest] = collects.filter((collect) => collect !== undefined);
  if (first === undefined || rest.length === 0) return first;
  return (value, path, violations) => {
    first(value, path, violations);
    for (const collect of rest) collect(value, path, violations);
  };
}
