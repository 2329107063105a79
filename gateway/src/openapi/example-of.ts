import { isObject } from "./tidy-schema.ts";

type Schemas = Readonly<Record<string, unknown>>;

/**
 * A value of a schema, made of the examples of its members. Members without an example are left out.
 *
 * @param schemas by the names in references
 */
export function exampleOf(schema: unknown, schemas: Schemas): unknown {
  if (!isObject(schema)) return undefined;
  const { $ref, examples, default: defaultValue, enum: values, anyOf, type } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (defaultValue !== undefined) return defaultValue;
  if (Array.isArray(values)) return values[0];
  if (typeof $ref === "string")
    return exampleOf(schemas[$ref.slice($ref.lastIndexOf("/") + 1)], schemas);
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], schemas);
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes("array")) return [exampleOf(schema["items"], schemas)];
  if (types.includes("object")) return exampleOfObject(schema, schemas);
  if (types.includes("boolean")) return true;
  return types.includes("null") ? null : undefined;
}

function exampleOfObject({ properties }: Schemas, schemas: Schemas): Record<string, unknown> {
  const members = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, member]): [string, unknown] => [name, exampleOf(member, schemas)],
  );
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
