import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import openApiDocument from "../../../gateway/openapi.json" with { type: "json" };
import { sectionsOf, type Section } from "./sections-of.ts";

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  default?: unknown;
  description?: string;
  maximum?: number;
  enum?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
}

interface OpenApi {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

const { paths, components }: OpenApi = openApiDocument;

const folder = new URL("../../../docs/api/", import.meta.url);
const pages = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
const operationSections = pages.flatMap((page) => sectionsOf(page, 3));
const sections = new Map(operationSections.map((section) => [section.title, section]));

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

/** The schema that a reference names, alone or as the first part of an `allOf`. */
function resolved(schema: Schema | undefined): Schema {
  const { $ref, allOf } = schema ?? {};
  const name = $ref?.split("/").at(-1);
  return (name === undefined ? allOf?.[0] : components.schemas[name]) ?? schema ?? {};
}

/** Members of an operation's body; of a GET none. */
function bodyOf({ requestBody }: Operation): Readonly<Record<string, Schema>> {
  return resolved(requestBody?.content["application/json"].schema).properties ?? {};
}

/** The code in a section, and in those of other operations that it links to. */
function codeOf(operationId: string): Set<string> {
  const section = sections.get(operationId);
  const linked = [...sections.values()].filter(({ title }) =>
    section?.links.includes(title.toLowerCase()),
  );
  return new Set([section, ...linked].flatMap((each) => [...(each?.code ?? [])]));
}

/** The one section of the second level that has this title. */
function topicOf(title: string): Section | undefined {
  return pages.flatMap((page) => sectionsOf(page, 2)).find((section) => section.title === title);
}

describe("docs/api", () => {
  it("has one section of the third level for each operation, and no others", () => {
    expect(operationSections.map(({ title }) => title).toSorted()).toEqual(
      operations.map(({ operationId }) => operationId).toSorted(),
    );
  });

  it.each(operations)(
    "has the method and path of $operationId",
    ({ operationId, method, path }) => {
      const text = sections.get(operationId)?.text;
      expect(text?.startsWith(`\`${method.toUpperCase()} ${path}\` — `)).toBe(true);
    },
  );

  it.each(operations)("names the parameters of $operationId", (operation) => {
    const { operationId, parameters = [] } = operation;
    const named = codeOf(operationId);
    const taken = parameters.filter((parameter) => !["path", "cookie"].includes(parameter.in));
    const names = [...taken.map(({ name }) => name), ...Object.keys(bodyOf(operation))];
    expect(names.filter((name) => !named.has(name))).toEqual([]);
  });

  it("lists the default and the maximum of records per page", () => {
    const rows = operations.flatMap((operation) => {
      const inQuery = operation.parameters?.find(({ name }) => name === "limit");
      const found = inQuery?.schema ?? bodyOf(operation)["limit"];
      if (found === undefined) return [];
      const limit = resolved(found);
      const cap = limit.maximum ?? /above (\d+) is lowered/.exec(inQuery?.description ?? "")?.[1];
      return [`\`${operation.operationId}\` ${String(limit.default)} ${cap}`];
    });
    const listed = (topicOf("Paging")?.text ?? "")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split("|").slice(1, 4))
      .map((cells) => cells.map((cell) => cell.trim()).join(" "));
    expect(listed.toSorted()).toEqual(rows.toSorted());
  });

  it("lists every error code", () => {
    const errors = topicOf("Errors");
    const codes = components.schemas["Error"]?.properties?.["error"]?.enum ?? [];
    expect(codes.length).toBeGreaterThan(0);
    expect(codes.filter((code) => errors?.code.has(code) !== true)).toEqual([]);
  });
});
