import { jsonOf, listOf } from "./json.ts";
import type { Json } from "./json.ts";
import { operationChanges } from "./operation-changes.ts";
import { createSchemaComparison } from "./schema-changes.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * The changes in a later OpenAPI 3.1 document that break clients written, or generated, for an
 * earlier one: each a line with its location. Texts, examples and additions break no client.
 * Webhooks, callbacks and links are not compared.
 */
export function breakingChanges(before: Json, after: Json): string[] {
  const documents = { before, after };
  const comparison = { documents, schemaChanges: createSchemaComparison(documents) };
  const [oldPaths, nowPaths] = [jsonOf(before["paths"]), jsonOf(after["paths"])];
  const changes = Object.keys(oldPaths).flatMap((path) => {
    const [oldItem, nowItem] = [jsonOf(oldPaths[path]), jsonOf(nowPaths[path])];
    return methods
      .filter((method) => method in oldItem)
      .flatMap((method) => {
        const location = `${method.toUpperCase()} ${path}`;
        if (!(method in nowItem)) return [`${location}: gone`];
        const [old, now] = [operationOf(oldItem, method), operationOf(nowItem, method)];
        return operationChanges(comparison, location, old, now);
      });
  });
  return [
    ...new Set([
      ...changes,
      ...serverChanges(before, after),
      ...schemeChanges(before, after),
      ...nameChanges(before, after),
    ]),
  ];
}

// Parameters of a path are those of its operations, unless these have their own of the same name.
function operationOf(item: Json, method: string): Json {
  const operation = jsonOf(item[method]);
  const parameters = [...listOf(item["parameters"]), ...listOf(operation["parameters"])];
  return { ...operation, parameters };
}

function serverChanges(before: Json, after: Json): string[] {
  const urls = (document: Json) => listOf(document["servers"]).map((each) => jsonOf(each)["url"]);
  const now = urls(after);
  const removed = urls(before).filter((url) => !now.includes(url));
  return removed.map((url) => `server ${String(url)}: gone`);
}

function schemeChanges(before: Json, after: Json): string[] {
  const schemes = (document: Json) => jsonOf(jsonOf(document["components"])["securitySchemes"]);
  const now = schemes(after);
  return Object.entries(schemes(before)).flatMap(([name, scheme]) => {
    if (!(name in now)) return [`credentials ${name}: gone`];
    const [old, other] = [jsonOf(scheme), jsonOf(now[name])];
    const rules = ["type", "in", "name", "scheme"].filter((rule) => old[rule] !== other[rule]);
    return rules.map((rule) => `credentials ${name}: ${rule} changed`);
  });
}

// Generators name types after schemas.
function nameChanges(before: Json, after: Json): string[] {
  const schemas = (document: Json) => jsonOf(jsonOf(document["components"])["schemas"]);
  const now = schemas(after);
  const removed = Object.keys(schemas(before)).filter((name) => !(name in now));
  return removed.map((name) => `schema ${name}: gone`);
}
