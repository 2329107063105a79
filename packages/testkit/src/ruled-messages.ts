import { create, getOption, hasExtension, hasOption, ScalarType } from "@bufbuild/protobuf";
import type { DescField, DescMessage, DescOneof, Message } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { field as fieldOption } from "@storefront/contracts/buf/validate/validate";
import type { FieldRules } from "@storefront/contracts/buf/validate/validate";
import { currency, query_id as queryId } from "@storefront/contracts/rule/v1/rule";
import { Seeded } from "./seeded.ts";

/** Messages in total; a release needs 100,000. */
const messages = Number(process.env["TEST_RULE_MESSAGES"] ?? 3_000);
const seed = Number(process.env["TEST_RULE_SEED"] ?? 1);

/** Texts near the limits of rules: by length, by characters, and by how these are counted. */
const texts = ["", "US", "us", "USD", "x".repeat(255), "x".repeat(256), "x".repeat(257)].concat(
  ["😀".repeat(256), "😀".repeat(257), "a\0b", "a\nb", "\u0085", "\u007f", " \t", "\ufeff"],
  ["offer-1", "\t\n\v\f\r \u00a0\u1680\u2000\u2028\u2029\u202f\u205f\u3000", "\u200b"],
  ["f".repeat(32), "F".repeat(32), "en-US", "ü/\u202e"],
);

/** The records that a request of an ingest service may carry; of another request, none. */
export function recordsOf(request: DescMessage): DescMessage[] {
  const observations = request.fields.filter(({ localName }) => localName === "observations");
  return observations.flatMap(({ message }) =>
    (message?.oneofs ?? []).flatMap(({ fields }) =>
      fields.flatMap(({ message: one }) => one ?? []),
    ),
  );
}

/**
 * Messages that are valid by the rules of the contract or nearly so, with every member or with one alone: as
 * many as `TEST_RULE_MESSAGES`, divided by `shares`.
 */
export function* ruledMessages(schema: DescMessage, shares: number): Generator<Message> {
  const random = new Seeded(seed);
  for (let count = 0; count < Math.ceil(messages / shares); count++) {
    yield count % 2 === 0 ? ruledMessage(schema, random) : nearlyValidMessage(schema, random);
  }
}

function ruledMessage(schema: DescMessage, random: Seeded): Message {
  const message = create(schema);
  const values = message as object as Record<string, unknown>;
  for (const member of schema.members) {
    if (random.chance(0.15)) continue;
    values[member.localName] = memberValue(member, random);
  }
  return message;
}

function nearlyValidMessage(schema: DescMessage, random: Seeded): Message {
  const message = validMessage(schema);
  const values = message as object as Record<string, unknown>;
  const member = random.pick(schema.members);
  values[member.localName] = memberValue(member, random);
  return message;
}

function memberValue(member: DescField | DescOneof, random: Seeded): unknown {
  if (member.kind === "field") return fieldValue(member, random);
  const field = random.pick(member.fields);
  return { case: field.localName, value: fieldValue(field, random) };
}

/** A valid one, with its singular members and required elements. */
function validMessage(schema: DescMessage): Message {
  const message = create(schema);
  const values = message as object as Record<string, unknown>;
  for (const field of schema.fields) {
    if (field.oneof !== undefined) continue;
    const rules = hasOption(field, fieldOption) ? getOption(field, fieldOption) : undefined;
    if (field.fieldKind !== "list") {
      values[field.localName] = validValue(field, rules);
    } else if (rules?.type.case === "repeated") {
      const { items, minItems } = rules.type.value;
      values[field.localName] = Array.from({ length: Number(minItems) }, () =>
        validValue(field, items),
      );
    }
  }
  return message;
}

function validValue(field: DescField, rules: FieldRules | undefined): unknown {
  const { message } = field;
  if (message !== undefined) {
    if (message.typeName === TimestampSchema.typeName) return create(TimestampSchema);
    return message.typeName.startsWith("google.protobuf.") ? {} : validMessage(message);
  }
  if (field.scalar === ScalarType.STRING) {
    const ofString = rules?.type.case === "string" ? rules.type.value : undefined;
    if (ofString === undefined) return "US";
    if (hasExtension(ofString, queryId)) return "f".repeat(32);
    return hasExtension(ofString, currency) ? "USD" : "US";
  }
  if (field.enum !== undefined) {
    const notIn = rules?.type.case === "enum" ? rules.type.value.notIn : [];
    return field.enum.values.find(({ number }) => number > 0 && !notIn.includes(number))?.number;
  }
  if (field.scalar === ScalarType.BOOL) return true;
  return field.scalar === ScalarType.INT64 ? 1n : 1;
}

function fieldValue(field: DescField, random: Seeded): unknown {
  const rules = hasOption(field, fieldOption) ? getOption(field, fieldOption) : undefined;
  if (field.fieldKind !== "list") return oneValue(field, rules, random);
  const {
    items,
    minItems = 0n,
    maxItems = 0n,
  } = rules?.type.case === "repeated" ? rules.type.value : {};
  // Long lists are slow to check, and do not differ.
  const isLong = maxItems > 0n && random.number() < 40 / (40 + Number(maxItems));
  const count = isLong ? Number(maxItems) + random.pick([0, 1]) : random.pick([0, 1, 2, 3]);
  const length = Math.max(count, random.number() < 0.9 ? Number(minItems) : 0);
  const value = (): unknown => oneValue(field, items, random);
  if (length <= 3) return Array.from({ length }, value);
  const repeated = value();
  return Array.from({ length }, () => repeated);
}

function oneValue(field: DescField, rules: FieldRules | undefined, random: Seeded): unknown {
  if (field.message !== undefined) return messageValue(field.message, random);
  if (field.enum !== undefined) return random.pick([0, 1, 2, 99, -1]);
  switch (field.scalar) {
    case ScalarType.STRING:
      return textValue(rules, random);
    case ScalarType.BOOL:
      return random.chance(0.5);
    case ScalarType.INT64:
      return random.pick([0n, 1n, -1n, 2n ** 53n, 2n ** 53n + 1n, 10_001n]);
    case ScalarType.INT32:
      return random.pick([0, 1, -1, 7, 2 ** 31 - 1, -(2 ** 31)]);
    default:
      return random.pick([0, 0.5, 10, 10.000001, -0.1, Infinity, NaN]);
  }
}

function messageValue(schema: DescMessage, random: Seeded): unknown {
  if (schema.typeName === TimestampSchema.typeName) return create(TimestampSchema, { seconds: 1n });
  // Free-form messages have no rules.
  return schema.typeName.startsWith("google.protobuf.") ? {} : ruledMessage(schema, random);
}

function textValue(rules: FieldRules | undefined, random: Seeded): string {
  const max = rules?.type.case === "string" ? Number(rules.type.value.maxLen) : 0;
  // Half of them valid, so that some messages are valid.
  if (random.chance(0.5)) return random.pick(["US", "offer-1", "f".repeat(32)]);
  if (max === 0 || random.number() > 40 / (40 + max)) return random.pick(texts);
  return random.pick(["x", "😀"]).repeat(max + random.pick([-1, 0, 1]));
}
