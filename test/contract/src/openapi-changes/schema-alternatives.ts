import { jsonOf, listOf, resolved } from "./json.ts";
import type { Json } from "./json.ts";

/**
 * A schema as a list of plain ones, any of which a value may fit: each has one `type` at most, and
 * neither references nor `allOf`, `anyOf`, `oneOf`, `const` at its top. So it does not matter in which
 * form a document describes it.
 */
export function alternativesOf(schema: unknown, document: Json): Json[] {
  if (schema === false) return [];
  const { $ref, allOf, anyOf, oneOf, type, const: constant, ...rules } = jsonOf(schema);
  const own = constant === undefined ? rules : { ...rules, enum: [constant] };
  const types = type === undefined ? [undefined] : [type].flat();
  const plain = types.map((each): Json => (each === undefined ? own : { ...own, type: each }));
  const parts = [
    ...($ref === undefined ? [] : [alternativesOf(resolved({ $ref }, document), document)]),
    ...listOf(allOf).map((part) => alternativesOf(part, document)),
    ...[anyOf, oneOf]
      .filter(Array.isArray)
      .map((branches) => branches.flatMap((branch) => alternativesOf(branch, document))),
  ];
  const whole = parts.reduce<Json[]>(
    (left, right) => left.flatMap((one) => right.flatMap((other) => both(one, other))),
    plain,
  );
  return whole.flatMap(withFittingValues);
}

const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/** What fits both; nothing where their types differ. */
function both(one: Json, other: Json): Json[] {
  const type = commonType(one["type"], other["type"]);
  if (type === "none") return [];
  const merged = Object.entries(other).map(([key, value]) => [
    key,
    key in one ? bothRules(key, one[key], value) : value,
  ]);
  const common = { ...one, ...Object.fromEntries(merged) };
  return [type === undefined ? common : { ...common, type }];
}

function commonType(one: unknown, other: unknown): unknown {
  if (one === undefined || one === other) return other;
  if (other === undefined) return one;
  const isNumber = [one, other].every((type) => type === "integer" || type === "number");
  return isNumber ? "integer" : "none";
}

function bothRules(key: string, one: unknown, other: unknown): unknown {
  if (lowerBounds.includes(key)) return Math.max(Number(one), Number(other));
  if (upperBounds.includes(key)) return Math.min(Number(one), Number(other));
  if (key === "required") return [...new Set([...listOf(one), ...listOf(other)])];
  if (key === "enum") return listOf(one).filter((value) => listOf(other).includes(value));
  if (key === "items" || key === "additionalProperties") return { allOf: [one, other] };
  if (key === "properties") {
    const [left, right] = [jsonOf(one), jsonOf(other)];
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    const partsOf = (name: string) =>
      [left[name], right[name]].filter((part) => part !== undefined);
    return Object.fromEntries([...names].map((name) => [name, { allOf: partsOf(name) }]));
  }
  return other;
}

// Of `{ type: ["string", "null"], enum: ["a", null] }` each type has its own values, and listed values
// have types although none is named.
function withFittingValues(schema: Json): Json[] {
  const { type, enum: values } = schema;
  if (!Array.isArray(values)) return [schema];
  const types = type === undefined ? new Set(values.map(typeOf)) : [type];
  return [...types].flatMap((each) => {
    const fitting = values.filter((value) => typeOf(value) === each || isWhole(value, each));
    return fitting.length === 0 ? [] : [{ ...schema, type: each, enum: fitting }];
  });
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function isWhole(value: unknown, type: unknown): boolean {
  return type === "integer" && Number.isInteger(value);
}
