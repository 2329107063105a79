import { isObject } from "../openapi/tidy-schema.ts";

type Schema = Record<string, unknown>;

/** A JSON schema that zod made, as the text of a TypeScript type. */
export function typeText(schema: unknown, indent = ""): string {
  if (!isObject(schema)) return "unknown";
  const { $ref, anyOf, type, enum: values } = schema;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(anyOf)) return union(anyOf.map((branch) => typeText(branch, indent)));
  if (Array.isArray(type)) return union(type.map((one) => namedType(String(one), schema, indent)));
  return typeof type === "string" ? namedType(type, schema, indent) : "unknown";
}

function namedType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return type;
    case "array": {
      const { items } = schema;
      const item = typeText(items, indent);
      return isUnion(items) ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return objectText(schema, indent);
    default:
      throw new Error(`no TypeScript for the JSON type ${type}`);
  }
}

/** The type of an object: `{ … }` with the members' descriptions. */
function objectText(schema: Schema, indent: string): string {
  const { properties, required, additionalProperties } = schema;
  if (!isObject(properties)) return `Record<string, ${typeText(additionalProperties, indent)}>`;
  const needed = new Set(Array.isArray(required) ? required : []);
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const type = typeText(member, inner);
    const text = needed.has(name) ? `${name}: ${type}` : `${name}?: ${optional(type)}`;
    return `${docText(member, inner)}${inner}${text};\n`;
  });
  return members.length === 0 ? "Record<string, never>" : `{\n${members.join("")}${indent}}`;
}

// What is absent from JSON may also be given as undefined.
function optional(type: string): string {
  return type === "unknown" ? type : `${type} | undefined`;
}

function isUnion(schema: unknown): boolean {
  return isObject(schema) && [schema["anyOf"], schema["type"], schema["enum"]].some(Array.isArray);
}

function union(types: string[]): string {
  return [...new Set(types)].join(" | ");
}

/** A doc comment of what the schema says of itself, with what it does not fit into a type. */
export function docText(schema: unknown, indent: string): string {
  if (!isObject(schema)) return "";
  const { description, default: defaultValue } = schema;
  const sentences = [
    ...(typeof description === "string" ? [description] : []),
    ...(defaultValue === undefined ? [] : [`Default: ${JSON.stringify(defaultValue)}.`]),
    ...(schema["deprecated"] === true ? ["@deprecated"] : []),
  ];
  return sentences.length === 0 ? "" : `${indent}/** ${sentences.join(" ")} */\n`;
}
