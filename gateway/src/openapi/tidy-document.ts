import type { OpenAPIObject } from "trpc-to-openapi";
import { isObject, tidySchema } from "./tidy-schema.ts";

type Schema = NonNullable<NonNullable<OpenAPIObject["components"]>["schemas"]>[string];

const jsonOf = (schema: Schema) => ({ "application/json": { schema } });

const errorBody = jsonOf({ $ref: "#/components/schemas/Error" });

/** What every operation answers when it fails. */
const errorResponses = {
  400: {
    description: "The request breaks a rule; the message names the member.",
    content: errorBody,
  },
  404: { description: "What the request names does not exist.", content: errorBody },
  default: {
    description:
      "405, 413, 415, 429, 431: the request cannot be taken. 500: a defect. 502, 503, 504: something behind the gateway failed, is unavailable or was too slow.",
    content: errorBody,
  },
};

const errorSchema: Schema = {
  type: "object",
  description: "Why a request failed.",
  properties: {
    message: {
      type: "string",
      description: "A sentence for people.",
      examples: ["Offer not found"],
    },
    error: {
      type: "string",
      description: "A stable code.",
      enum: [
        "INVALID_ARGUMENT",
        "NOT_FOUND",
        "METHOD_NOT_ALLOWED",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "RATE_LIMITED",
        "INTERNAL",
        "UPSTREAM_FAILED",
        "UNAVAILABLE",
        "DEADLINE_EXCEEDED",
      ],
    },
  },
  required: ["message", "error"],
};

/**
 * Turns what the generator makes of the router into the published document: one error schema, named
 * request bodies, tidy schemas.
 *
 * @param streamPaths paths that answer with events, whose data the schema describes
 */
export function tidyDocument(
  document: OpenAPIObject,
  streamPaths: ReadonlySet<string>,
): OpenAPIObject {
  const schemas = Object.fromEntries(
    Object.entries(document.components?.schemas ?? {})
      .filter(([name]) => !name.startsWith("error."))
      .map(([name, schema]): [string, Schema] => [name, tidied(schema)]),
  );
  for (const [path, pathItem] of Object.entries(document.paths ?? {})) {
    const successOf = streamPaths.has(path) ? eventsOf : answerOf;
    for (const operation of [pathItem.get, pathItem.post]) {
      if (operation === undefined) continue;
      operation.responses = { 200: successOf(operation.responses?.["200"]), ...errorResponses };
      operation.parameters = operation.parameters?.map(parameterOf) ?? [];
      const name = requestName(operation.operationId ?? "");
      const body = bodySchema(operation.requestBody);
      if (body === undefined) continue;
      schemas[name] = body;
      operation.requestBody = {
        required: true,
        content: jsonOf({ $ref: `#/components/schemas/${name}` }),
      };
    }
  }
  const sorted = Object.entries({ ...schemas, Error: errorSchema }).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return Object.assign(document, { components: { schemas: Object.fromEntries(sorted) } });
}

function tidied(schema: unknown): Schema {
  const result = tidySchema(schema);
  return isSchema(result) ? result : {};
}

function isSchema(value: unknown): value is Schema {
  return isObject(value);
}

function answerOf(response: unknown) {
  const schema = schemaOf(isObject(response) ? response["content"] : {});
  return { description: "The answer.", content: jsonOf(schema) };
}

// OpenAPI 3.1 has no word for one event of a stream: the schema is that of its data.
function eventsOf(response: unknown) {
  const schema = schemaOf(isObject(response) ? response["content"] : {});
  const description = "Server-Sent Events; the schema is that of each event's data.";
  return { description, content: { "text/event-stream": { schema } } };
}

function bodySchema(requestBody: unknown): Schema | undefined {
  return isObject(requestBody) ? schemaOf(requestBody["content"]) : undefined;
}

function schemaOf(content: unknown): Schema {
  const media = isObject(content) ? content["application/json"] : undefined;
  return tidied(isObject(media) ? media["schema"] : {});
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

function requestName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
}
