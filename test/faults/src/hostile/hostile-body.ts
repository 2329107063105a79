import * as fc from "fast-check";
import { hostileText } from "./hostile-text.ts";

/** The parts of a JSON schema that values are generated from. */
export interface BodySchema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: BodySchema[];
  properties?: Readonly<Record<string, BodySchema>>;
  items?: BodySchema;
}

const anyJson = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });

const number = fc.oneof(
  fc.constantFrom(0, -1, 1, 10, 100, 101, 1.5, 1e9, 2 ** 31, 2 ** 53, 1e308, -0),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Values that a member of this schema may have, and some that it may not. */
function valueOf(schema: BodySchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: plausible(schema) },
    { weight: 1, arbitrary: anyJson },
    { weight: 1, arbitrary: fc.constantFrom(null, "", [], {}, [null], [[]], true, "1") },
  );
}

function plausible(schema: BodySchema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum, "other");
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valueOf));
  if (schema.properties !== undefined) return membersOf(schema.properties);
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return number;
    case "array":
      return fc.oneof(
        fc.array(valueOf(schema.items ?? {}), { maxLength: 6 }),
        fc.array(valueOf(schema.items ?? {}), { minLength: 95, maxLength: 105 }),
      );
    default:
      return hostileText;
  }
}

function membersOf(properties: Readonly<Record<string, BodySchema>>): fc.Arbitrary<object> {
  const members = Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)]);
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [],
  });
}

/** A body for an operation that takes this schema: valid, nearly valid, broken or not JSON at all. */
export function hostileBody(schema: BodySchema): fc.Arbitrary<string | Buffer> {
  // Few members at a time; otherwise validation always stops at the first wrong one.
  const one = fc
    .constantFrom(...Object.entries(schema.properties ?? { slugs: {} }))
    .chain(([name, member]) => valueOf(member).map((value) => ({ [name]: value })));
  const sensible = fc.oneof(one, membersOf(schema.properties ?? {}));
  return fc.oneof(
    { weight: 10, arbitrary: sensible.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: anyJson.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(sensible, fc.nat(60))
        .map(([value, length]) => JSON.stringify(value).slice(0, length)),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "",
        "{",
        "[".repeat(100_000),
        `{"a":`.repeat(20_000),
        `{"slugs":["x"],"slugs":[]}`,
        String.raw`{"title":"\ud800"}`,
        `{"__proto__":{"limit":5},"constructor":{}}`,
        `\uFEFF{}`,
        " ".repeat(256 * 1024 + 1),
        `{"slugs":["${"x".repeat(300_000)}"]}`,
        "1e999",
        "NaN",
      ),
    },
  );
}
