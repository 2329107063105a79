import spectral from "@stoplight/spectral-core";
import type { RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import openApiDocument from "../openapi.json" with { type: "json" };
import { exampleOf } from "../src/openapi/example-of.ts";
import { isObject } from "../src/openapi/tidy-schema.ts";

type Json = Record<string, unknown>;

const document: Json = openApiDocument;
const schemas: Json = openApiDocument.components.schemas;

/** Every object below a value, with its location. */
function objectsBelow(
  value: unknown,
  path: readonly string[] = [],
): [location: string, object: Json][] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => objectsBelow(item, [...path, String(index)]));
  }
  if (!isObject(value)) return [];
  const below = Object.entries(value).flatMap(([key, item]) => objectsBelow(item, [...path, key]));
  return [[path.join("/"), value], ...below];
}

const isExample = (location: string) => /(^|\/)(examples?|default|enum)(\/|$)/.test(location);

test("Spectral's rules for OpenAPI find nothing", async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    // The types of the two packages disagree on what a ruleset may omit.
    extends: [[rulesets.oas as RulesetDefinition, "all"]],
    rules: {
      // Groups are in the order in which a reader wants them.
      "openapi-tags-alphabetical": "off",
      // Contact addresses are up to the operator.
      "contact-properties": "off",
    },
  });
  const results = await linter.run(document);
  expect(results.map(({ code, path, message }) => [code, path.join("."), message])).toEqual([]);
});

test("schemas and their members have descriptions", () => {
  const undescribed = objectsBelow(schemas).flatMap(([location, { properties }]) =>
    isObject(properties) && !isExample(location)
      ? Object.entries(properties).flatMap(([name, member]) =>
          isDescribed(member) ? [] : [`${location}.${name}`],
        )
      : [],
  );
  expect(undescribed).toEqual([]);
  expect(Object.entries(schemas).filter(([, schema]) => !isDescribed(schema))).toEqual([]);
});

// A reference has the description of the schema that it names.
function isDescribed(schema: unknown): boolean {
  return isObject(schema) && ("description" in schema || "$ref" in schema);
}

test("every member has an example, its own or those of its parts", () => {
  const withoutExample = Object.entries(schemas).flatMap(([name, schema]) => {
    const { properties = {} } = Object(schema) as { properties?: Json };
    return Object.entries(properties).flatMap(([member, value]) =>
      exampleOf(value, schemas) === undefined ? [`${name}.${member}`] : [],
    );
  });
  expect(withoutExample).toEqual([]);
});

test("every object has a name", () => {
  const anonymous = objectsBelow(document).filter(
    ([location, object]) =>
      "properties" in object &&
      object["type"] === "object" &&
      !isExample(location) &&
      !/^components\/schemas\/\w+$/.test(location),
  );
  expect(anonymous.map(([location]) => location)).toEqual([]);
});

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(document, "document");

const pointerPart = (part: string) =>
  encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

test("every example is what its schema describes", () => {
  const faults: string[] = [];
  let count = 0;
  const check = (example: unknown, keys: readonly string[]) => {
    count += 1;
    const pointer = keys.map(pointerPart).join("/");
    const validate = ajv.getSchema(`document#/${pointer}`);
    if (validate === undefined) faults.push(`no schema at ${pointer}`);
    else if (validate(example) !== true)
      faults.push(`${pointer}: ${ajv.errorsText(validate.errors)}`);
  };
  const visit = (value: unknown, keys: readonly string[]) => {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) visit(item, [...keys, String(index)]);
    if (!isObject(value)) return;
    const { example, examples, schema } = value;
    if (example !== undefined && schema !== undefined) check(example, [...keys, "schema"]);
    if (Array.isArray(examples)) for (const one of examples) check(one, keys);
    for (const [key, item] of Object.entries(value)) {
      if (key !== "example" && key !== "examples" && key !== "default") visit(item, [...keys, key]);
    }
  };
  visit(document, []);
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(300);
});
