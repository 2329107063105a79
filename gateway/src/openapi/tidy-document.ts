import type { OpenAPIObject } from "trpc-to-openapi";
import { errorSchema, failureResponses, failuresByStatus } from "./error-responses.ts";
import type { FailureStatus } from "./error-responses.ts";
import type { SuccessStatus } from "../operations/operation.ts";
import { exampleOf } from "./example-of.ts";
import { withOptionalMembers } from "./optional-members.ts";
import {
  deprecatedHeaders,
  downloadHeaders,
  headerComponents,
  listedHeaders,
  partHeaders,
  streamHeaders,
  successHeaders,
  unavailableHeaders,
} from "./response-headers.ts";
import { isObject, tidySchema } from "./tidy-schema.ts";

type Schemas = NonNullable<NonNullable<OpenAPIObject["components"]>["schemas"]>;
type Schema = Schemas[string];
type Operation = NonNullable<NonNullable<OpenAPIObject["paths"]>[string]["get"]>;
type Responses = NonNullable<Operation["responses"]>;

/** What the generator does not know of an operation. */
export interface Supplement {
  /** What it may be refused with. */
  failures: readonly FailureStatus[];
  /** Of what it gives; default JSON. */
  contentType?: string;
  /** `events`: the schema describes the data of each; `file`: a part may be requested. Default: a whole response. */
  form?: "events" | "file";
  /** Whether callers need the token of the operator. */
  isAdmin?: boolean;
  /** Status of success; default 200. */
  status?: SuccessStatus;
  /** Whether it may respond with status 201. */
  mayCreate?: boolean;
  /** Whether the body of status 503 is that of 200. */
  hasUnavailableBody?: boolean;
  /** Defined where it is a part of a list, with a weak entity tag and a link. */
  listed?: object | undefined;
  /** A body to try; default: made of the examples of its members. */
  bodyExample?: unknown;
}

/**
 * Turns what the generator makes of the router into the published document: one error schema, a
 * name for every body, tidy schemas, headers and examples of responses.
 *
 * @param supplements by operationId
 */
export function tidyDocument(
  document: OpenAPIObject,
  supplements: ReadonlyMap<string, Supplement>,
): OpenAPIObject {
  const schemas: Schemas = { Error: errorSchema };
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    if (!name.startsWith("error.")) schemas[name] = tidied(schema);
  }
  for (const { get, post, patch, delete: remove } of Object.values(document.paths ?? {})) {
    for (const operation of [get, post, patch, remove]) {
      const supplement = supplements.get(operation?.operationId ?? "");
      if (operation === undefined || supplement === undefined) continue;
      const responses = responsesOf(operation, supplement, schemas);
      const read =
        operation === get && supplement.form === undefined ? unchangedOf(supplement) : {};
      operation.responses = referringToShared(operation, { ...read, ...responses });
      operation.parameters = operation.parameters?.map(parameterOf) ?? [];
      operation.security = supplement.isAdmin === true ? adminWay : waysIn;
      if (!supplement.failures.includes(415)) delete operation.requestBody;
      else if (operation.requestBody !== undefined) tidyBody(operation, supplement, schemas);
    }
  }
  const sorted = Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const components = {
    schemas: Object.fromEntries(sorted),
    responses: sharedResponses,
    headers: headerComponents,
  };
  return Object.assign(document, { components: { ...document.components, ...components } });
}

/** No operation needs a key, and each takes one. */
const waysIn = [{}, { apiKey: [] }, { bearer: [] }];

/** An operation for the operator. */
const adminWay = [{ adminToken: [] }];

const notModified = {
  description: "The client has it already, as its `If-None-Match` says.",
  headers: successHeaders,
};

function unchangedOf({ listed }: Supplement): Responses {
  return { 304: listed ? { ...notModified, headers: listedHeaders } : notModified };
}

const sharedResponses = { NotModified: notModified, ...failureResponses };
const sharedNames = new Map<unknown, string>(
  Object.entries(sharedResponses).map(([name, response]) => [response, name]),
);

function responsesOf(operation: Operation, supplement: Supplement, schemas: Schemas): Responses {
  const { failures, contentType = "application/json", form } = supplement;
  const { status = 200, mayCreate, hasUnavailableBody, listed } = supplement;
  const refusals = failuresByStatus(failures);
  if (status === 204) return { 204: { description: "Done.", headers: streamHeaders }, ...refusals };
  const schema = named(operation, "Response", operation.responses?.["200"], schemas);
  if (form === "events") return { 200: eventsOf(schema), ...refusals };
  const content = { [contentType]: { schema, example: exampleOf(schema, schemas) } };
  if (form === "file") {
    const headers = downloadHeaders;
    const unchanged = { description: notModified.description, headers };
    const part = { description: "The bytes that `Range` names.", headers: partHeaders, content };
    return {
      200: { description: "The file.", headers, content },
      206: part,
      304: unchanged,
      ...refusals,
    };
  }
  const whole = {
    description: "The response.",
    headers: listed ? listedHeaders : successHeaders,
    content,
  };
  const unavailable = {
    description: "The response, while a part fails.",
    headers: unavailableHeaders,
    content,
  };
  const created = { ...whole, description: "The response, when it is new." };
  return {
    [status]: whole,
    ...(mayCreate === true && { 201: created }),
    ...refusals,
    ...(hasUnavailableBody === true && { 503: unavailable }),
  };
}

// Those of a deprecated operation have headers of their own.
function referringToShared({ deprecated }: Operation, responses: Responses): Responses {
  const each = Object.entries(responses).map(([status, response]): [string, unknown] => {
    if (deprecated === true) {
      const headers = { ...response.headers, ...deprecatedHeaders };
      return [status, { ...response, headers }];
    }
    const name = sharedNames.get(response);
    return [status, name === undefined ? response : { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(each);
}

function tidyBody(operation: Operation, { bodyExample }: Supplement, schemas: Schemas): void {
  const schema = named(operation, "Request", operation.requestBody, schemas);
  const example = bodyExample ?? exampleOf(schema, schemas);
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
  const verb = role === "Request" ? "takes" : "returns";
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
