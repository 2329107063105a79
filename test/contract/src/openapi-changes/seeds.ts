import { isJson } from "./json.ts";
import type { Json } from "./json.ts";

/** A change of the seed document: its path, as keys separated by " > ", and the new value. */
export type Seed = readonly [title: string, path: string, value: unknown];

/** As a value, removes what is at the path. */
export const removed = Symbol("removed");

const errors = {
  404: {
    description: "None.",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  },
  default: {
    description: "Failed.",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  },
};

/** A small document with something of everything. */
export const seedDocument: Json = {
  openapi: "3.1.0",
  info: { title: "Things", version: "1.2.0" },
  servers: [{ url: "/" }],
  security: [{}, { apiKey: [] }],
  paths: {
    "/things": {
      parameters: [{ name: "country", in: "cookie", schema: { type: "string" } }],
      get: {
        operationId: "listThings",
        parameters: [
          { name: "page", in: "query", schema: { type: "integer", minimum: 1, default: 1 } },
          { name: "sort", in: "query", schema: { type: "string", enum: ["name", "age"] } },
          { name: "X-Trace", in: "header", schema: { type: "string", maxLength: 64 } },
          {
            name: "kinds",
            in: "query",
            style: "form",
            explode: false,
            schema: { type: "array", items: { type: "string" } },
          },
        ],
        responses: {
          200: {
            description: "Things.",
            headers: {
              ETag: { required: true, schema: { type: "string" } },
              Age: { $ref: "#/components/headers/Age" },
            },
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/ThingPage" } },
              "text/csv": { schema: { type: "string" } },
            },
          },
          ...errors,
        },
      },
      post: {
        operationId: "makeThing",
        security: [{ apiKey: [] }],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/NewThing" } } },
        },
        responses: {
          201: {
            description: "Made.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          ...errors,
        },
      },
    },
    "/things/{id}": {
      get: {
        operationId: "getThing",
        parameters: [
          {
            name: "id",
            in: "path",
            required: true,
            schema: { type: "string", minLength: 1, maxLength: 256 },
          },
        ],
        responses: {
          200: {
            description: "It.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          ...errors,
        },
      },
    },
    "/find": {
      post: {
        operationId: "findThings",
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/ThingQuery" } } },
        },
        responses: {
          200: {
            description: "Found.",
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
              },
            },
          },
          ...errors,
        },
      },
    },
  },
  components: {
    securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "X-Api-Key" } },
    headers: { Age: { schema: { type: "integer", minimum: 0 } } },
    schemas: {
      Error: {
        type: "object",
        properties: {
          message: { type: "string" },
          error: { type: "string", enum: ["NOT_FOUND", "INTERNAL"] },
        },
        required: ["message", "error"],
      },
      Thing: {
        type: "object",
        properties: {
          id: { type: "string" },
          title: { type: ["string", "null"] },
          size: { type: "integer", minimum: 0 },
          kind: { type: "string", enum: ["toy", "tool"] },
          madeAt: { type: "string", format: "date-time" },
          tags: { type: "array", items: { type: "string" }, maxItems: 50 },
          parent: { anyOf: [{ $ref: "#/components/schemas/Thing" }, { type: "null" }] },
          names: { type: "object", additionalProperties: { type: "string" } },
          note: { type: "string" },
        },
        required: ["id", "title", "size", "kind", "tags"],
      },
      ThingPage: {
        type: "object",
        properties: {
          elements: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
          total: { type: "integer" },
        },
        required: ["elements", "total"],
      },
      NewThing: {
        type: "object",
        properties: {
          title: { type: "string", maxLength: 100 },
          size: { type: "number", maximum: 1000 },
          code: { type: "string", pattern: "^[a-z]+$" },
          owner: { type: "object", properties: { name: { type: "string" } } },
        },
        required: ["title"],
      },
      ThingQuery: {
        type: "object",
        properties: {
          text: { type: "string", maxLength: 512 },
          kind: {
            anyOf: [
              { type: "string" },
              { type: "array", items: { type: "string" }, maxItems: 100 },
            ],
          },
          page: { allOf: [{ type: "integer", minimum: 1, default: 1 }] },
          onSale: { type: ["boolean", "null"] },
          sort: { type: "string", enum: ["name", "age"] },
        },
      },
    },
  },
};

/** The seed document with a change. Fails where there is nothing to change. */
export function seeded([title, path, value]: Seed): Json {
  const document = structuredClone(seedDocument);
  const keys = path.split(" > ");
  const last = keys.pop() ?? "";
  let parent: unknown = document;
  for (const key of keys)
    parent = isJson(parent) || Array.isArray(parent) ? Reflect.get(parent, key) : undefined;
  if (typeof parent !== "object" || parent === null) throw new Error(`${title}: no ${path}`);
  if (value === removed && !Reflect.has(parent, last)) throw new Error(`${title}: no ${path}`);
  if (value !== removed)
    Reflect.set(parent, last === "+" && Array.isArray(parent) ? parent.length : last, value);
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
  return document;
}
