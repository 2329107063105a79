import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildClientTypes } from "../src/openapi/build-client-types.ts";
import { buildDocument } from "../src/openapi/build-document.ts";
import { operationsByPath } from "../src/operations/operations-of.ts";
import { appRouter, streams, subscriptions, webFeeds } from "../src/operations/router.ts";
import { getSnapshot } from "../src/operations/snapshot/snapshot.ts";

const text = readFileSync(new URL("../openapi.json", import.meta.url), "utf8");
const product = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { version: string };
const document = buildDocument(product.version);
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  [item.get, item.post, item.patch, item.delete].flatMap((operation) =>
    operation === undefined ? [] : { path, operation },
  ),
);

test("the committed document matches the router and the product's version", () => {
  expect(`${JSON.stringify(document, null, 2)}\n`).toBe(text);
});

test("the published client's types match the router", () => {
  const file = new URL("../../packages/client/src/gen/catalog-operations.ts", import.meta.url);
  expect(buildClientTypes(appRouter, subscriptions)).toBe(readFileSync(file, "utf8"));
});

test("operations have the names of their procedures, each once", () => {
  const procedures = [...operationsByPath(appRouter).keys()];
  const names = procedures.map((name) => name.slice(name.indexOf(".") + 1));
  const ids = operations.map(({ operation }) => operation.operationId);
  names.push(...[...streams, ...webFeeds, getSnapshot].map(({ operationId }) => operationId));
  expect(new Set(ids)).toEqual(new Set(names));
  expect(ids).toHaveLength(names.length);
});

test.for(operations)("$path describes itself and every parameter", ({ operation }) => {
  expect(operation.summary).toBeTruthy();
  expect(operation.description).toBeTruthy();
  expect(operation.tags).toHaveLength(1);
  // The rate limit counts requests of any operation, by their key where they have one.
  const isAdmin = operation.tags?.includes("webhooks") === true;
  const schemes = isAdmin ? [{ adminToken: [] }] : [{}, { apiKey: [] }, { bearer: [] }];
  expect(operation.security).toEqual(schemes);
  for (const parameter of operation.parameters ?? []) {
    expect(parameter).toMatchObject({ description: expect.any(String), schema: {} });
    expect(parameter).toHaveProperty("example");
  }
});

test("objects are named, open and referenced", () => {
  const { schemas = {} } = document.components ?? {};
  const inner = JSON.stringify(
    Object.values(schemas).map((schema) => Object.values(Object(schema))),
  );
  expect(inner).not.toContain('"additionalProperties":false');
  for (const [, name = ""] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
    expect(schemas).toHaveProperty(name);
  }
});
