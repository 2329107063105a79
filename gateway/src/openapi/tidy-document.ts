import type { OpenAPIObject } from "trpc-to-openapi";
import { errorResponses, errorSchema } from "./error-responses.ts";
import { exampleOf } from "./example-of.ts";
import { withOptionalMembers } from "./optional-members.ts";
import {
  deprecatedHeaders,
  downloadHeaders,
  headerComponents,
  streamHeaders,
  successHeaders,
} from "./response-headers.ts";
import { isObject, tidySchema } from "./tidy-schema.ts";

type Schemas = NonNullable<NonNullable<OpenAPIObject["components"]>["schemas"]>;
type Schema = Schemas[string];
type Operation = NonNullable<NonNullable<OpenAPIObject["paths"]>[string]["get"]>;
type Responses = NonNullable<Operation["responses"]>;

/** What the generator does not know of the operations. */
export interface Supplements {
  /** Paths that answer with events, whose data the schema describes. */
  streamPaths: ReadonlySet<string>;
  /** Paths that answer with a file, or a part of it. */
  downloadPaths: ReadonlySet<string>;
  /** Types of answers that are no JSON, by path. */
  contentTypes: ReadonlyMap<string, string>;
  /** Bodies to try by operationId; the others are made of the examples of their members. */
  bodyExamples: ReadonlyMap<string, unknown>;
}

/**
 * Turns what the generator makes of the router into the published document: one error schema, a
 * name for every body, tidy schemas, headers and examples of answers.
 */
export function tidyDocument(document: OpenAPIObject, supplements: Supplements): OpenAPIObject {
  const schemas: Schemas = { Error: errorSchema };
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    if (!name.startsWith("error.")) schemas[name] = tidied(schema);
  }
  for (const [path, { get, post }] of Object.entries(document.paths ?? {})) {
    for (const operation of [get, post]) {
      if (operation === undefined) continue;
      tidyAnswers(operation, path, supplements, schemas);
      operation.parameters = operation.parameters?.map(parameterOf) ?? [];
      if (operation.requestBody !== undefined) tidyBody(operation, supplements, schemas);
    }
  }
  const sorted = Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const components = { schemas: Object.fromEntries(sorted), headers: headerComponents };
  return Object.assign(document, { components: { ...document.components, ...components } });
}

function tidyAnswers(
  operation: Operation,
  path: string,
  { streamPaths, downloadPaths, contentTypes }: Supplements,
  schemas: Schemas,
): void {
  const schema = named(operation, "Response", operation.responses?.["200"], schemas);
  const example = exampleOf(schema, schemas);
  const headers = downloadPaths.has(path) ? downloadHeaders : successHeaders;
  const answer = answerOf(schema, example, headers, contentTypes.get(path));
  operation.responses = { 200: streamPaths.has(path) ? eventsOf(schema) : answer };
  Object.assign(operation.responses, errorResponses);
  if (operation.deprecated === true) operation.responses = ofDeprecated(operation.responses);
}

function ofDeprecated(responses: Responses): Responses {
  const each = Object.entries(responses).map(([status, response]): [string, unknown] => [
    status,
    { ...response, headers: { ...response.headers, ...deprecatedHeaders } },
  ]);
  return Object.fromEntries(each);
}

function tidyBody(operation: Operation, { bodyExamples }: Supplements, schemas: Schemas): void {
  const schema = named(operation, "Request", operation.requestBody, schemas);
  const example = bodyExamples.get(operation.operationId ?? "") ?? exampleOf(schema, schemas);
  operation.requestBody = {
    description: "A JSON object; members that are not known are ignored.",
    required: true,
    content: { "application/json": { schema, example } },
  };
}

// A generator names types after schemas, so what has no name gets its operation's.
function named(
  { operationId = "" }: Operation,
  role: "Request" | "Response",
  place: unknown,
  schemas: Schemas,
): Schema {
  const content = isObject(place) ? place["content"] : undefined;
  const media = isObject(content) ? content["application/json"] : undefined;
  const whole = tidied(isObject(media) ? media["schema"] : {});
  const schema = role === "Request" ? withOptionalMembers(whole) : whole;
  if ("$ref" in schema) return schema;
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}${role}`;
  const verb = role === "Request" ? "takes" : "answers";
  schemas[name] = Object.assign({ description: `What \`${operationId}\` ${verb}.` }, schema);
  return { $ref: `#/components/schemas/${name}` };
}

function tidied(schema: unknown): Schema {
  const result = tidySchema(schema);
  return isSchema(result) ? result : {};
}

function isSchema(value: unknown): value is Schema {
  return isObject(value);
}

function answerOf(
  schema: Schema,
  example: unknown,
  headers: typeof successHeaders | typeof downloadHeaders,
  contentType = "application/json",
) {
  const content = { [contentType]: { schema, example } };
  return { description: "The answer.", headers, content };
}

// OpenAPI 3.1 has no word for one event of a stream: the schema is that of its data.
function eventsOf(schema: Schema) {
  const description = "Server-Sent Events; the schema is that of each event's data.";
  return { description, headers: streamHeaders, content: { "text/event-stream": { schema } } };
}

// The description and the example belong to the parameter; its schema would repeat them.
function parameterOf<Parameter>(parameter: Parameter): Parameter {
  const schema = tidySchema(isObject(parameter) ? parameter["schema"] : {});
  if (!isObject(schema)) return parameter;
  const { description, examples, ...rules } = schema;
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return {
    ...parameter,
    description,
    ...(example === undefined ? {} : { example }),
    schema: rules,
  };
}
