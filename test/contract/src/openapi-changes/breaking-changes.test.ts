import { describe, expect, test } from "vitest";
import { breakingChanges } from "./breaking-changes.ts";
import { removed, seedDocument, seeded } from "./seeds.ts";
import type { Seed } from "./seeds.ts";

const list = "paths > /things > get";
const make = "paths > /things > post";
const one = "paths > /things/{id} > get";
const find = "paths > /find > post";
const schemas = "components > schemas";
const thing = `${schemas} > Thing > properties`;
const made = `${schemas} > NewThing`;
const query = `${schemas} > ThingQuery > properties`;
const json = "content > application/json";

const breaking: Seed[] = [
  ["a path is removed", "paths > /find", removed],
  ["a method is removed", make, removed],
  ["a path has another name", "paths", { "/objects": {} }],
  ["an operation has another name", `${list} > operationId`, "getThings"],
  ["an operation has no name", `${one} > operationId`, removed],
  ["a parameter is removed", `${list} > parameters > 1`, removed],
  ["a parameter of the path's is removed", "paths > /things > parameters > 0", removed],
  ["a parameter has another name", `${list} > parameters > 0 > name`, "pageNumber"],
  ["a parameter is in another part of the request", `${list} > parameters > 0 > in`, "header"],
  ["a header has another name", `${list} > parameters > 2 > name`, "X-Span"],
  ["a parameter is now required", `${list} > parameters > 1 > required`, true],
  [
    "a required parameter is new",
    `${list} > parameters > +`,
    { name: "q", in: "query", required: true, schema: {} },
  ],
  ["a parameter has another type", `${list} > parameters > 0 > schema > type`, "boolean"],
  ["a parameter has a lower maximum", `${list} > parameters > 0 > schema > maximum`, 10],
  ["a parameter has a higher minimum", `${list} > parameters > 0 > schema > minimum`, 2],
  ["a parameter has another default", `${list} > parameters > 0 > schema > default`, 2],
  ["a parameter has no default", `${list} > parameters > 0 > schema > default`, removed],
  ["a parameter takes fewer values", `${list} > parameters > 1 > schema > enum`, ["name"]],
  ["a parameter takes listed values", `${list} > parameters > 2 > schema > enum`, ["a"]],
  ["a parameter may be less long", `${list} > parameters > 2 > schema > maxLength`, 10],
  ["a parameter may not be empty", `${list} > parameters > 2 > schema > minLength`, 1],
  ["a parameter has a pattern", `${one} > parameters > 0 > schema > pattern`, "^[a-z]+$"],
  ["a parameter has a format", `${one} > parameters > 0 > schema > format`, "uuid"],
  ["a list is written differently", `${list} > parameters > 3 > explode`, true],
  ["a list has another style", `${list} > parameters > 3 > style`, "pipeDelimited"],
  ["a list may hold fewer", `${list} > parameters > 3 > schema > maxItems`, 5],
  ["a list holds another type", `${list} > parameters > 3 > schema > items > type`, "integer"],
  ["a body is now required", `${find} > requestBody > required`, true],
  ["a body is removed", `${find} > requestBody`, removed],
  ["a required body is new", `${list} > requestBody`, { required: true, content: {} }],
  ["a body is of another type", `${make} > requestBody > content`, { "text/plain": {} }],
  ["a member of a body is removed", `${made} > properties > code`, removed],
  ["a member of a body is now required", `${made} > required > +`, "size"],
  ["a required member of a body is new", `${made} > required > +`, "colour"],
  ["a member of a body is an integer now", `${made} > properties > size > type`, "integer"],
  ["a member of a body has another pattern", `${made} > properties > code > pattern`, "^[a-z]{3}$"],
  [
    "a member of a body's member is removed",
    `${made} > properties > owner > properties > name`,
    removed,
  ],
  ["a body is closed", `${made} > additionalProperties`, false],
  ["a body can no longer be null", `${query} > onSale > type`, "boolean"],
  ["a body has one branch less", `${query} > kind > anyOf > 1`, removed],
  ["a branch of a body may hold fewer", `${query} > kind > anyOf > 1 > maxItems`, 10],
  ["a part of a body has another default", `${query} > page > allOf > 0 > default`, 0],
  ["a body has one more rule", `${query} > page > allOf > +`, { maximum: 9 }],
  ["a body takes unique items only", `${query} > kind > anyOf > 1 > uniqueItems`, true],
  ["a response is removed", `${make} > responses > 201`, removed],
  ["failures are no longer described", `${one} > responses > default`, removed],
  ["a response is of another type", `${one} > responses > 200 > content`, { "text/html": {} }],
  [
    "one of the types of a response is removed",
    `${list} > responses > 200 > content > text/csv`,
    removed,
  ],
  ["a response is a list now", `${one} > responses > 200 > ${json} > schema`, { type: "array" }],
  ["a response is anything now", `${one} > responses > 200 > ${json} > schema`, {}],
  ["a member of a response is removed", `${thing} > note`, removed],
  ["a required member of a response is removed", `${thing} > size`, removed],
  ["a member of a response may be absent", `${schemas} > Thing > required > 4`, removed],
  ["a member of a response may be null", `${thing} > size > type`, ["integer", "null"]],
  ["a member of a response has another type", `${thing} > size > type`, "string"],
  ["a member of a response may have fractions", `${thing} > size > type`, "number"],
  ["a member of a response may be negative", `${thing} > size > minimum`, removed],
  ["a member of a response has more values", `${thing} > kind > enum > +`, "tree"],
  ["a member of a response has any value", `${thing} > kind > enum`, removed],
  ["a member of a response has no format", `${thing} > madeAt > format`, removed],
  ["a list of a response holds another type", `${thing} > tags > items > type`, "integer"],
  ["a list of a response holds more", `${thing} > tags > maxItems`, 100],
  ["a map of a response holds another type", `${thing} > names > additionalProperties`, {}],
  ["a response has one more branch", `${thing} > parent > anyOf > +`, { type: "string" }],
  ["a failure has one more code", `${schemas} > Error > properties > error > enum > +`, "LATE"],
  ["a header of a response is removed", `${list} > responses > 200 > headers > Age`, removed],
  [
    "a header of a response may be absent",
    `${list} > responses > 200 > headers > ETag > required`,
    false,
  ],
  [
    "a header of a response has another type",
    "components > headers > Age > schema > type",
    "string",
  ],
  ["a schema no longer has a name", `${schemas} > NewThing`, removed],
  ["every operation needs a key", "security", [{ apiKey: [] }]],
  ["an operation needs a key", `${list} > security`, [{ apiKey: [] }]],
  ["an operation needs a scope", `${make} > security > 0 > apiKey > +`, "write"],
  ["a key is sent differently", "components > securitySchemes > apiKey > name", "Authorization"],
  ["a kind of key is removed", "components > securitySchemes > apiKey", removed],
  ["a server is removed", "servers > 0 > url", "/v2"],
];

const compatible: Seed[] = [
  ["nothing", "openapi", "3.1.0"],
  ["another version", "info > version", "1.2.1"],
  ["another title", "info > title", "Objects"],
  ["a description", `${list} > description`, "All of them."],
  ["a deprecation", `${list} > deprecated`, true],
  ["a new path", "paths > /boxes", { get: { operationId: "listBoxes", responses: {} } }],
  ["a new method", "paths > /find > get", { operationId: "findMore", responses: {} }],
  ["a new optional parameter", `${list} > parameters > +`, { name: "q", in: "query", schema: {} }],
  ["a header in another case", `${list} > parameters > 2 > name`, "x-trace"],
  ["a parameter that may be left out", `${one} > parameters > 0 > minLength`, 1],
  ["a parameter with a lower minimum", `${list} > parameters > 0 > schema > minimum`, 0],
  ["a parameter without a minimum", `${list} > parameters > 0 > schema > minimum`, removed],
  ["a parameter with more values", `${list} > parameters > 1 > schema > enum > +`, "size"],
  ["a parameter with any value", `${list} > parameters > 1 > schema > enum`, removed],
  ["a parameter that may be longer", `${list} > parameters > 2 > schema > maxLength`, 99],
  ["a parameter with a default", `${list} > parameters > 1 > schema > default`, "name"],
  ["a parameter that may be null", `${one} > parameters > 0 > schema > type`, ["string", "null"]],
  ["an integer parameter with fractions", `${list} > parameters > 0 > schema > type`, "number"],
  [
    "a parameter for the whole path",
    "paths > /find > parameters",
    [{ name: "q", in: "query", schema: {} }],
  ],
  ["a body that may be left out", `${make} > requestBody > required`, false],
  ["a body of another type too", `${make} > requestBody > content > text/plain`, {}],
  ["a new optional member of a body", `${made} > properties > colour`, { type: "string" }],
  ["a member of a body that may be left out", `${made} > required > 0`, removed],
  ["a body without a pattern", `${made} > properties > code > pattern`, removed],
  ["a body with one more branch", `${query} > kind > anyOf > +`, { type: "null" }],
  [
    "a body whose branches are written differently",
    `${query} > kind`,
    { oneOf: [{ type: "array", items: { type: "string" }, maxItems: 100 }, { type: "string" }] },
  ],
  [
    "a body that says null by a branch",
    `${query} > onSale`,
    { anyOf: [{ type: "boolean" }, { type: "null" }] },
  ],
  [
    "a part of a body written in place",
    `${query} > page`,
    { type: "integer", minimum: 1, default: 1 },
  ],
  [
    "a body with a rule in a part",
    `${query} > text`,
    { allOf: [{ type: "string" }, { maxLength: 512 }] },
  ],
  ["an open body said to be open", `${made} > additionalProperties`, true],
  ["a new response", `${find} > responses > 202`, { description: "Later." }],
  ["a failure that the default describes", `${one} > responses > 404`, removed],
  ["a response of another type too", `${one} > responses > 200 > content > text/csv`, {}],
  ["a new member of a response", `${thing} > colour`, { type: "string" }],
  ["a new required member of a response", `${schemas} > Thing > required > +`, "note"],
  ["a member of a response that is never null", `${thing} > title > type`, "string"],
  ["a member of a response with fewer values", `${thing} > kind > enum > 1`, removed],
  ["a member of a response that is constant", `${thing} > kind`, { const: "toy" }],
  ["a member of a response with a maximum", `${thing} > size > maximum`, 10],
  ["a member of a response with a format", `${thing} > note > format`, "uri"],
  ["a list of a response that holds fewer", `${thing} > tags > maxItems`, 5],
  ["a response with one branch less", `${thing} > parent > anyOf > 1`, removed],
  ["a response that is closed", `${schemas} > Thing > additionalProperties`, false],
  ["a default in a response", `${thing} > note > default`, ""],
  ["a new header of a response", `${list} > responses > 200 > headers > Vary`, { schema: {} }],
  ["a header of a response with a maximum", "components > headers > Age > schema > maximum", 9],
  ["a new schema", `${schemas} > Box`, { type: "object" }],
  [
    "a schema instead of its name",
    `${one} > responses > 404 > ${json} > schema`,
    { $ref: "#/components/schemas/Error", description: "Why." },
  ],
  ["another way to authenticate", `${make} > security > +`, {}],
  [
    "another kind of key",
    "components > securitySchemes > token",
    { type: "http", scheme: "bearer" },
  ],
  ["another server", "servers > +", { url: "https://things.example.com" }],
  ["an extension", "x-owner", "somebody"],
];

describe("breaks clients", () => {
  test.for(breaking)("%s", (seed) => {
    expect(breakingChanges(seedDocument, seeded(seed))).not.toEqual([]);
  });
});

describe("breaks no client", () => {
  test.for(compatible)("%s", (seed) => {
    expect(breakingChanges(seedDocument, seeded(seed))).toEqual([]);
  });
});

test("a change is named with its location, once, however often the schema is used", () => {
  const changed = seeded(["", `${schemas} > Error > properties > error > enum > +`, "LATE"]);
  expect(breakingChanges(seedDocument, changed)).toEqual(["Error (answer).error: enum changed"]);
});

test("a header of the default response may move to failures that get their own response", () => {
  const headers = { "Retry-After": { schema: { type: "integer" } } };
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  const before = seeded(["", `${one} > responses > default`, { headers, content }]);
  const after = seeded(["", `${one} > responses > 503`, { headers, content }]);
  expect(breakingChanges(before, after)).toEqual([]);
  expect(breakingChanges(before, seedDocument)).toEqual([
    "GET /things/{id} default header Retry-After: gone",
  ]);
});
