import { create, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { field as fieldOption } from "@storefront/contracts/buf/validate/validate";
import type { FieldRules } from "@storefront/contracts/buf/validate/validate";

/** A number from 0 up to, and not, 1. */
export type Random = () => number;

/** Texts beside which rules decide: in length, by their characters, and by how these are counted. */
const texts = ["", "US", "us", "x".repeat(255), "x".repeat(256), "x".repeat(257)].concat(
  ["😀".repeat(256), "😀".repeat(257), "a\0b", "a\nb", "\u0085", " \t", "\ufeff", "offer-1"],
  ["f".repeat(32), "F".repeat(32), "en-US", "ü/\u202e"],
);

/** A message whose every member is somewhere near what the rules of the contract allow. */
export function ruledMessage(schema: DescMessage, random: Random): Message {
  const message = create(schema);
  const values = message as object as Record<string, unknown>;
  for (const member of schema.members) {
    if (random() < 0.15) continue;
    if (member.kind === "field") {
      values[member.localName] = fieldValue(member, random);
      continue;
    }
    const field = pick(member.fields, random);
    values[member.localName] = { case: field.localName, value: fieldValue(field, random) };
  }
  return message;
}

function fieldValue(field: DescField, random: Random): unknown {
  const rules = hasOption(field, fieldOption) ? getOption(field, fieldOption) : undefined;
  if (field.fieldKind !== "list") return oneValue(field, rules, random);
  const {
    items,
    minItems = 0n,
    maxItems = 0n,
  } = rules?.type.case === "repeated" ? rules.type.value : {};
  // Long lists are slow to check, and all alike.
  const isLong = maxItems > 0n && random() < 40 / (40 + Number(maxItems));
  const count = isLong ? Number(maxItems) + pick([0, 1], random) : pick([0, 1, 2, 3], random);
  const length = Math.max(count, random() < 0.9 ? Number(minItems) : 0);
  const value = (): unknown => oneValue(field, items, random);
  if (length <= 3) return Array.from({ length }, value);
  const repeated = value();
  return Array.from({ length }, () => repeated);
}

function oneValue(field: DescField, rules: FieldRules | undefined, random: Random): unknown {
  if (field.message !== undefined) return messageValue(field.message, random);
  if (field.enum !== undefined) return pick([0, 1, 2, 99, -1], random);
  switch (field.scalar) {
    case ScalarType.STRING:
      return textValue(rules, random);
    case ScalarType.BOOL:
      return random() < 0.5;
    case ScalarType.INT64:
      return pick([0n, 1n, -1n, 2n ** 53n, 2n ** 53n + 1n, 10_001n], random);
    case ScalarType.INT32:
      return pick([0, 1, -1, 7, 2 ** 31 - 1, -(2 ** 31)], random);
    default:
      return pick([0, 0.5, 10, 10.000001, -0.1, Infinity, NaN], random);
  }
}

function messageValue(schema: DescMessage, random: Random): unknown {
  if (schema.typeName === TimestampSchema.typeName) return create(TimestampSchema, { seconds: 1n });
  // What is free-form has no rules.
  return schema.typeName.startsWith("google.protobuf.") ? {} : ruledMessage(schema, random);
}

function textValue(rules: FieldRules | undefined, random: Random): string {
  const max = rules?.type.case === "string" ? Number(rules.type.value.maxLen) : 0;
  // Half of them good, so that messages are good now and then.
  if (random() < 0.5) return pick(["US", "offer-1", "f".repeat(32)], random);
  if (max === 0 || random() > 40 / (40 + max)) return pick(texts, random);
  return pick(["x", "😀"], random).repeat(max + pick([-1, 0, 1], random));
}

function pick<Value>(values: readonly Value[], random: Random): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new TypeError("nothing to pick from");
  return value;
}
