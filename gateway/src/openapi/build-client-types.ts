import type { AnyTRPCRouter } from "@trpc/server";
import { z } from "zod";
import { isObject } from "./tidy-schema.ts";
import type { OperationMeta } from "../operations/operation.ts";
import { operationsByPath } from "../operations/operations-of.ts";
import type { StreamOperation } from "../operations/rest-operation.ts";

/** Schemas by the name of the type that is made of them. */
type NamedSchemas = Map<string, unknown>;

/**
 * The router as self-contained TypeScript: a type for each named schema and for each input,
 * and `CatalogOperations`, inputs and outputs by domain and operation. The router's own type reaches
 * into all of the gateway, which a published package cannot.
 */
export function buildClientTypes(
  router: AnyTRPCRouter,
  subscriptions: Readonly<Record<string, StreamOperation>>,
): string {
  const schemas: NamedSchemas = new Map();
  const domains = new Map<string, string[]>();
  const procedures = [
    ...[...operationsByPath(router)].map(([path, operation]) => procedureOf(path, operation)),
    ...Object.entries(subscriptions).map(([path, stream]) => subscriptionOf(path, stream)),
  ];
  for (const procedure of procedures) {
    const [domain = ""] = procedure.path.split(".");
    const members = domains.get(domain) ?? [];
    domains.set(domain, [...members, operationText(procedure, schemas)]);
  }
  const types = [...schemas]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, schema]) => `${docText(schema, "")}export type ${name} = ${typeText(schema)};\n\n`,
    );
  const members = [...domains].map(([name, texts]) => `  ${name}: {\n${texts.join("")}  };\n`);
  return `// Written by gateway/src/openapi/write-document.ts from the gateway's router; do not edit.

${types.join("")}/** Input and result of every operation, by domain and name. */
export type CatalogOperations = {
${members.join("")}};
`;
}

/** What the types say of a procedure. */
interface Procedure extends Pick<OperationMeta, "input" | "output"> {
  /** Such as `catalog.getOffer`. */
  path: string;
  name: string;
  summary: string;
  kind: "query" | "mutation" | "subscription";
}

function procedureOf(
  path: string,
  { operationId: name, summary, isMutation, input, output }: OperationMeta,
): Procedure {
  return { path, name, summary, kind: isMutation ? "mutation" : "query", input, output };
}

function subscriptionOf(
  path: string,
  { operationId: name, summary, input, event }: StreamOperation,
): Procedure {
  return { path, name, summary, kind: "subscription", input, output: event };
}

function operationText(procedure: Procedure, schemas: NamedSchemas): string {
  const { name, summary, kind, output } = procedure;
  const { $defs: outputParts, ...shown } = z.toJSONSchema(output);
  addAll(schemas, outputParts);
  const kindText = kind === "query" ? "" : ` kind: "${kind}";`;
  const members = `{${kindText} input: ${inputText(procedure, schemas)}; output: ${typeText(shown)} }`;
  return `    /** ${summary}. */\n    ${name}: ${members};\n`;
}

function inputText({ path, name: operation, input }: Procedure, schemas: NamedSchemas): string {
  const { $defs: parts, required = [], ...members } = z.toJSONSchema(input, { io: "input" });
  addAll(schemas, parts);
  // An input without required members can be left out.
  const orNone = required.length === 0 ? " | void" : "";
  if (Object.keys(input.shape).length === 0) return `Record<string, never>${orNone}`;
  const name = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Input`;
  schemas.set(name, { ...members, required, description: `What \`${path}\` takes.` });
  return `${name}${orNone}`;
}

function addAll(schemas: NamedSchemas, parts: unknown): void {
  if (!isObject(parts)) return;
  for (const [name, schema] of Object.entries(parts)) {
    if (schemas.has(name) && typeText(schemas.get(name)) !== typeText(schema)) {
      throw new Error(`${name} names two schemas`);
    }
    schemas.set(name, schema);
  }
}

type Schema = Record<string, unknown>;

/** A JSON schema that zod made, as the text of a TypeScript type. */
function typeText(schema: unknown, indent = ""): string {
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
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const text = needed.has(name) ? `${key}: ${type}` : `${key}?: ${optional(type)}`;
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
function docText(schema: unknown, indent: string): string {
  if (!isObject(schema)) return "";
  const { description, default: defaultValue } = schema;
  const sentences = [
    ...(typeof description === "string" ? [description] : []),
    ...(defaultValue === undefined ? [] : [`Default: ${JSON.stringify(defaultValue)}.`]),
    ...(schema["deprecated"] === true ? ["@deprecated"] : []),
  ];
  return sentences.length === 0 ? "" : `${indent}/** ${sentences.join(" ")} */\n`;
}
