import type { AnyTRPCRouter } from "@trpc/server";
import { z } from "zod";
import { isObject } from "../openapi/tidy-schema.ts";
import type { OperationMeta } from "../operations/operation.ts";
import { operationsByPath } from "../operations/operations-of.ts";
import { docText, typeText } from "./type-text.ts";

/** Schemas by the name of the type that is made of them. */
type NamedSchemas = Map<string, unknown>;

/**
 * The router as TypeScript that stands by itself: a type for each named schema and for each input,
 * and `CatalogOperations`, inputs and answers by domain and operation. The router's own type reaches
 * into all of the gateway, which a published package cannot.
 */
export function buildClientTypes(router: AnyTRPCRouter): string {
  const schemas: NamedSchemas = new Map();
  const domains = new Map<string, string[]>();
  for (const [path, operation] of operationsByPath(router)) {
    const [domain = ""] = path.split(".");
    const members = domains.get(domain) ?? [];
    domains.set(domain, [...members, operationText(path, operation, schemas)]);
  }
  const types = [...schemas]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, schema]) => `${docText(schema, "")}export type ${name} = ${typeText(schema)};\n\n`,
    );
  const members = [...domains].map(([name, texts]) => `  ${name}: {\n${texts.join("")}  };\n`);
  return `// Written by gateway/src/client-types/write-client-types.ts from the gateway's router; do not edit.

${types.join("")}/** Input and answer of every operation, by domain and name. */
export type CatalogOperations = {
${members.join("")}};
`;
}

function operationText(path: string, operation: OperationMeta, schemas: NamedSchemas): string {
  const { operationId, summary } = operation.openapi;
  const { $defs: answerParts, ...answer } = z.toJSONSchema(operation.output);
  addAll(schemas, answerParts);
  const kind = operation.isMutation ? ' kind: "mutation";' : "";
  const input = inputText(path, operation, schemas);
  const members = `{${kind} input: ${input}; output: ${typeText(answer)} }`;
  return `    /** ${summary}. */\n    ${operationId}: ${members};\n`;
}

function inputText(
  path: string,
  { openapi: { operationId }, input }: OperationMeta,
  schemas: NamedSchemas,
): string {
  const { $defs: parts, required = [], ...members } = z.toJSONSchema(input, { io: "input" });
  addAll(schemas, parts);
  // An input without required members can be left out.
  const orNone = required.length === 0 ? " | void" : "";
  if (Object.keys(input.shape).length === 0) return `Record<string, never>${orNone}`;
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Input`;
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
