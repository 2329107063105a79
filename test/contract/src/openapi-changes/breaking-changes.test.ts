import { describe, expect, test } from "vitest";
import { breakingChanges } from "./breaking-changes.ts";
import { gone, seedDocument, seeded } from "./seeds.ts";
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
  ["a path is gone", "paths > /find", gone],
  ["a method is gone", make, gone],
  ["a path has another name", "paths", { "/objects": {} }],
  ["an operation has another name", `${list} > operationId`, "getThings"],
  ["an operation has no name", `${one} > operationId`, gone],
  ["a parameter is gone", `${list} > parameters > 1`, gone],
  ["a parameter of the path's is gone", "paths > /things > parameters > 0", gone],
  ["a parameter has another name", `${list} > parameters > 0 > name`, "pageNumber"],
  ["a parameter is elsewhere", `${list} > parameters > 0 > in`, "header"],
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
  ["a parameter has no default", `${list} > parameters > 0 > schema > default`, gone],
  ["a parameter takes fewer values", `${list} > parameters > 1 > schema > enum`, ["name"]],
  ["a parameter takes listed values", `${list} > parameters > 2 > schema > enum`, ["a"]],
  ["a parameter may be less long", `${list} > parameters > 2 > schema > maxLength`, 10],
  ["a parameter may not be empty", `${list} > parameters > 2 > schema > minLength`, 1],
  ["a parameter has a pattern", `${one} > parameters > 0 > schema > pattern`, "^[a-z]+$"],
  ["a parameter has a format", `${one} > parameters > 0 > schema > format`, "uuid"],
  ["a list is written otherwise", `${list} > parameters > 3 > explode`, true],
  ["a list has another style", `${list} > parameters > 3 > style`, "pipeDelimited"],
  ["a list may hold fewer", `${list} > parameters > 3 > schema > maxItems`, 5],
  ["a list holds another type", `${list} > parameters > 3 > schema > items > type`, "integer"],
  ["a body is now required", `${find} > requestBody > required`, true],
  ["a body is gone", `${find} > requestBody`, gone],
  ["a required body is new", `${list} > requestBody`, { required: true, content: {} }],
  ["a body is of another type", `${make} > requestBody > content`, { "text/plain": {} }],
  ["a member of a body is gone", `${made} > properties > code`, gone],
  ["a member of a body is now required", `${made} > required > +`, "size"],
  ["a required member of a body is new", `${made} > required > +`, "colour"],
  ["a member of a body is whole now", `${made} > properties > size > type`, "integer"],
  ["a member of a body has another pattern", `${made} > properties > code > pattern`, "^[a-z]{3}$"],
  ["a member of a body's member is gone", `${made} > properties > owner > properties > name`, gone],
  ["a body is closed", `${made} > additionalProperties`, false],
  ["a body cannot be null any more", `${query} > onSale > type`, "boolean"],
  ["a body has one branch less", `${query} > kind > anyOf > 1`, gone],
  ["a branch of a body may hold fewer", `${query} > kind > anyOf > 1 > maxItems`, 10],
  ["a part of a body has another default", `${query} > page > allOf > 0 > default`, 0],
  ["a body has one more rule", `${query} > page > allOf > +`, { maximum: 9 }],
  ["a body takes unique items only", `${query} > kind > anyOf > 1 > uniqueItems`, true],
  ["an answer is gone", `${make} > responses > 201`, gone],
  ["failures are not described any more", `${one} > responses > default`, gone],
  ["an answer is of another type", `${one} > responses > 200 > content`, { "text/html": {} }],
  ["one of the types of an answer is gone", `${list} > responses > 200 > content > text/csv`, gone],
  ["an answer is a list now", `${one} > responses > 200 > ${json} > schema`, { type: "array" }],
  ["an answer is anything now", `${one} > responses > 200 > ${json} > schema`, {}],
  ["a member of an answer is gone", `${thing} > note`, gone],
  ["a required member of an answer is gone", `${thing} > size`, gone],
  ["a member of an answer may be absent", `${schemas} > Thing > required > 4`, gone],
  ["a member of an answer may be null", `${thing} > size > type`, ["integer", "null"]],
  ["a member of an answer has another type", `${thing} > size > type`, "string"],
  ["a member of an answer may have fractions", `${thing} > size > type`, "number"],
  ["a member of an answer may be negative", `${thing} > size > minimum`, gone],
  ["a member of an answer has more values", `${thing} > kind > enum > +`, "tree"],
  ["a member of an answer has any value", `${thing} > kind > enum`, gone],
  ["a member of an answer has no format", `${thing} > madeAt > format`, gone],
  ["a list of an answer holds another type", `${thing} > tags > items > type`, "integer"],
  ["a list of an answer holds more", `${thing} > tags > maxItems`, 100],
  ["a map of an answer holds another type", `${thing} > names > additionalProperties`, {}],
  ["an answer has one more branch", `${thing} > parent > anyOf > +`, { type: "string" }],
  ["a failure has one more code", `${schemas} > Error > properties > error > enum > +`, "LATE"],
  ["a header of an answer is gone", `${list} > responses > 200 > headers > Age`, gone],
  [
    "a header of an answer may be absent",
    `${list} > responses > 200 > headers > ETag > required`,
    false,
  ],
  [
    "a header of an answer has another type",
    "components > headers > Age > schema > type",
    "string",
  ],
  ["a schema has no name any more", `${schemas} > NewThing`, gone],
  ["everybody needs a key", "security", [{ apiKey: [] }]],
  ["an operation needs a key", `${list} > security`, [{ apiKey: [] }]],
  ["an operation needs a scope", `${make} > security > 0 > apiKey > +`, "write"],
  ["a key is sent otherwise", "components > securitySchemes > apiKey > name", "Authorization"],
  ["a kind of key is gone", "components > securitySchemes > apiKey", gone],
  ["a server is gone", "servers > 0 > url", "/v2"],
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
  ["a parameter without a minimum", `${list} > parameters > 0 > schema > minimum`, gone],
  ["a parameter with more values", `${list} > parameters > 1 > schema > enum > +`, "size"],
  ["a parameter with any value", `${list} > parameters > 1 > schema > enum`, gone],
  ["a parameter that may be longer", `${list} > parameters > 2 > schema > maxLength`, 99],
  ["a parameter with a default", `${list} > parameters > 1 > schema > default`, "name"],
  ["a parameter that may be null", `${one} > parameters > 0 > schema > type`, ["string", "null"]],
  ["a whole parameter with fractions", `${list} > parameters > 0 > schema > type`, "number"],
  [
    "a parameter for the whole path",
    "paths > /find > parameters",
    [{ name: "q", in: "query", schema: {} }],
  ],
  ["a body that may be left out", `${make} > requestBody > required`, false],
  ["a body of another type too", `${make} > requestBody > content > text/plain`, {}],
  ["a new optional member of a body", `${made} > properties > colour`, { type: "string" }],
  ["a member of a body that may be left out", `${made} > required > 0`, gone],
  ["a body without a pattern", `${made} > properties > code > pattern`, gone],
  ["a body with one more branch", `${query} > kind > anyOf > +`, { type: "null" }],
  [
    "a body whose branches are listed otherwise",
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
  ["a new answer", `${find} > responses > 202`, { description: "Later." }],
  ["a failure that the default describes", `${one} > responses > 404`, gone],
  ["an answer of another type too", `${one} > responses > 200 > content > text/csv`, {}],
  ["a new member of an answer", `${thing} > colour`, { type: "string" }],
  ["a new required member of an answer", `${schemas} > Thing > required > +`, "note"],
  ["a member of an answer that is never null", `${thing} > title > type`, "string"],
  ["a member of an answer with fewer values", `${thing} > kind > enum > 1`, gone],
  ["a member of an answer that is constant", `${thing} > kind`, { const: "toy" }],
  ["a member of an answer with a maximum", `${thing} > size > maximum`, 10],
  ["a member of an answer with a format", `${thing} > note > format`, "uri"],
  ["a list of an answer that holds fewer", `${thing} > tags > maxItems`, 5],
  ["an answer with one branch less", `${thing} > parent > anyOf > 1`, gone],
  ["an answer that is closed", `${schemas} > Thing > additionalProperties`, false],
  ["a default in an answer", `${thing} > note > default`, ""],
  ["a new header of an answer", `${list} > responses > 200 > headers > Vary`, { schema: {} }],
  ["a header of an answer with a maximum", "components > headers > Age > schema > maximum", 9],
  ["a new schema", `${schemas} > Box`, { type: "object" }],
  [
    "a schema in the place of its name",
    `${one} > responses > 404 > ${json} > schema`,
    { $ref: "#/components/schemas/Error", description: "Why." },
  ],
  ["another way in", `${make} > security > +`, {}],
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

describe("breaks nobody", () => {
  test.for(compatible)("%s", (seed) => {
    expect(breakingChanges(seedDocument, seeded(seed))).toEqual([]);
  });
});

test("a change is named with its place, once, however often the schema is used", () => {
  const changed = seeded(["", `${schemas} > Error > properties > error > enum > +`, "LATE"]);
  expect(breakingChanges(seedDocument, changed)).toEqual(["Error (answer).error: enum changed"]);
});

test("a header of failures may be left to those that the default described and that have it", () => {
  const headers = { "Retry-After": { schema: { type: "integer" } } };
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  const before = seeded(["", `${one} > responses > default`, { headers, content }]);
  const after = seeded(["", `${one} > responses > 503`, { headers, content }]);
  expect(breakingChanges(before, after)).toEqual([]);
  expect(breakingChanges(before, seedDocument)).toEqual([
    "GET /things/{id} default header Retry-After: gone",
  ]);
});
