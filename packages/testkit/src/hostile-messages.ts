import { create, ScalarType } from "@bufbuild/protobuf";
import type { DescField, DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import * as fc from "fast-check";

/** Code points of 4 bytes, in an order that does not compress. */
function incompressible(length: number, seed: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCodePoint(0x20000 + (state >>> 17));
  }).join("");
}

/** The sources of values of members. */
interface Vocabulary {
  readonly identifier: fc.Arbitrary<string>;
  readonly string: fc.Arbitrary<string>;
  readonly int32: fc.Arbitrary<number>;
  readonly int64: fc.Arbitrary<bigint>;
  readonly double: fc.Arbitrary<number>;
  readonly seconds: fc.Arbitrary<bigint>;
  readonly nanos: fc.Arbitrary<number>;
  readonly object: fc.Arbitrary<object>;
}

// So few that they repeat.
const ordinary = fc.constantFrom("a", "b", "c");
const longestIdentifiers = fc.nat(3).map((seed) => incompressible(256, seed));
const identifier = fc.oneof(
  { weight: 3, arbitrary: ordinary },
  { weight: 1, arbitrary: longestIdentifiers },
);

/** Values within the limits, and up to them. */
const within: Vocabulary = {
  identifier,
  string: fc.oneof(
    identifier,
    fc.constantFrom("", '{"a\\', "NULL", "\\x", "\n", "/home", "ΐ".repeat(512)),
    fc.nat(3).map((seed) => incompressible(512, seed)),
  ),
  int32: fc.constantFrom(0, 1, 2, 2 ** 31 - 1),
  int64: fc.constantFrom(0n, 1n, 2n ** 53n - 1n, 2n ** 53n),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }),
  seconds: fc.constantFrom(-1n, 0n, 1_700_000_000n, -62_135_596_800n, 253_402_300_799n),
  nanos: fc.constantFrom(0, 1, 1_000_000, 999_999_999),
  object: fc.dictionary(
    fc.string({ maxLength: 5 }),
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
    { maxKeys: 3 },
  ),
};

const tooDeep = JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`) as object;

/** The same, values over the limits, and invalid values. */
const anything: Vocabulary = {
  identifier: fc.oneof(
    within.identifier,
    fc.constantFrom("", "\0", "a\nb", "\ud800", "x".repeat(257), incompressible(257, 1)),
  ),
  string: fc.oneof(
    within.string,
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom("\0", "\ud800", "\udc00x", "x".repeat(70_000), incompressible(3_000, 1)),
  ),
  int32: fc.oneof(within.int32, fc.constantFrom(-1, -(2 ** 31))),
  int64: fc.oneof(within.int64, fc.constantFrom(-1n, 2n ** 53n + 1n, 2n ** 63n - 1n)),
  double: fc.double(),
  seconds: fc.oneof(
    within.seconds,
    fc.constantFrom(-62_135_596_801n, 253_402_300_800n, 2n ** 63n - 1n),
  ),
  nanos: fc.oneof(within.nanos, fc.constantFrom(-1, 1_000_000_000)),
  object: fc.oneof(
    within.object,
    fc.constantFrom({ a: Number.NaN }, { "\0": 1 }, { a: ["\ud800"] }, tooDeep),
  ),
};

/**
 * Messages of a type, half of them within the limits of records, half with members that are over them or
 * invalid. Some members are absent.
 *
 * @param members values of top-level members to use instead, by local name; these are never absent.
 */
export function hostileMessages<Desc extends DescMessage>(
  schema: Desc,
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<MessageShape<Desc>> {
  return fc
    .oneof(initOf(schema, within, members), initOf(schema, anything, members))
    .map((init) => create(schema, init as MessageInitShape<Desc>));
}

/** Identifiers of records, half of them of the largest length, some invalid. */
export const hostileIdentifiers: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: ordinary },
  { weight: 5, arbitrary: longestIdentifiers },
  { weight: 1, arbitrary: anything.identifier },
);

function initOf(
  schema: DescMessage,
  vocabulary: Vocabulary,
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Record<string, unknown>> {
  const values = schema.fields.map(
    (field) => [field.localName, members[field.localName] ?? memberOf(field, vocabulary)] as const,
  );
  return fc.record(Object.fromEntries(values), { requiredKeys: Object.keys(members) });
}

function memberOf(field: DescField, vocabulary: Vocabulary): fc.Arbitrary<unknown> {
  const value = valueOf(field, vocabulary);
  if (field.fieldKind !== "list") return value;
  return fc.oneof(
    { weight: 19, arbitrary: fc.array(value, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(value, { minLength: 512, maxLength: 513 }) },
  );
}

function valueOf(field: DescField, vocabulary: Vocabulary): fc.Arbitrary<unknown> {
  const { message } = field;
  if (message?.typeName === "google.protobuf.Struct") return vocabulary.object;
  if (message?.typeName === "google.protobuf.Timestamp") {
    return fc.record({ seconds: vocabulary.seconds, nanos: vocabulary.nanos });
  }
  if (message !== undefined) return initOf(message, vocabulary, {});
  switch (field.scalar) {
    case ScalarType.STRING:
      return isReference(field) ? vocabulary.identifier : vocabulary.string;
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.INT32:
      return vocabulary.int32;
    case ScalarType.INT64:
      return vocabulary.int64;
    case ScalarType.DOUBLE:
      return vocabulary.double;
    default:
      throw new TypeError(`${field.toString()}: records have no such fields`);
  }
}

function isReference({ localName }: DescField): boolean {
  return /(?:id|ids|namespace|appName|currencyCode)$/i.test(localName);
}
