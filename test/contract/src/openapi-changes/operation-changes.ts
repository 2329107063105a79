import { jsonOf, listOf, resolved } from "./json.ts";
import type { Json } from "./json.ts";
import type { createSchemaComparison, Documents, Side } from "./schema-changes.ts";

/** What compares operations. */
export interface OperationComparison {
  documents: Documents;
  schemaChanges: ReturnType<typeof createSchemaComparison>;
}

/** The changes that break clients of an operation, each with its location. */
export function operationChanges(
  comparison: OperationComparison,
  location: string,
  old: Json,
  now: Json,
): string[] {
  const { documents } = comparison;
  return [
    // Generators name functions after it.
    ...(old["operationId"] === now["operationId"] ? [] : [`${location}: operationId changed`]),
    ...parameterChanges(comparison, location, old, now),
    ...bodyChanges(comparison, `${location} body`, old["requestBody"], now["requestBody"]),
    ...responseChanges(comparison, location, jsonOf(old["responses"]), jsonOf(now["responses"])),
    ...securityChanges(
      location,
      old["security"] ?? documents.before["security"],
      now["security"] ?? documents.after["security"],
    ),
  ];
}

function parameterChanges(
  { documents, schemaChanges }: OperationComparison,
  location: string,
  old: Json,
  now: Json,
): string[] {
  const before = parametersOf(old, documents.before);
  const after = parametersOf(now, documents.after);
  const added = [...after].filter(([key]) => !before.has(key));
  return [
    ...added
      .filter(([, { required }]) => required === true)
      .map(([key]) => `${location} ${key}: is new and required`),
    ...[...before].flatMap(([key, parameter]) => {
      const other = after.get(key);
      if (other === undefined) return [`${location} ${key}: gone`];
      const isStricter = parameter["required"] !== true && other["required"] === true;
      const isWrittenOtherwise = ["style", "explode"].some(
        (rule) => parameter[rule] !== other[rule],
      );
      return [
        ...(isStricter ? [`${location} ${key}: is now required`] : []),
        ...(isWrittenOtherwise ? [`${location} ${key}: is written otherwise`] : []),
        ...schemaChanges(`${location} ${key}`, "request", parameter["schema"], other["schema"]),
      ];
    }),
  ];
}

/** By location and name; names of headers in any case. */
function parametersOf(operation: Json, document: Json): Map<string, Json> {
  const parameters = listOf(operation["parameters"]).map((each) =>
    jsonOf(resolved(each, document)),
  );
  const keyOf = ({ in: where, name }: Json) =>
    where === "header"
      ? `header ${String(name).toLowerCase()}`
      : `${String(where)} ${String(name)}`;
  return new Map(parameters.map((parameter) => [keyOf(parameter), parameter]));
}

function bodyChanges(
  comparison: OperationComparison,
  location: string,
  oldBody: unknown,
  nowBody: unknown,
): string[] {
  const { before, after } = comparison.documents;
  const [old, now] = [jsonOf(resolved(oldBody, before)), jsonOf(resolved(nowBody, after))];
  const isStricter = old["required"] !== true && now["required"] === true;
  return [
    ...(isStricter ? [`${location}: is now required`] : []),
    ...contentChanges(comparison, location, "request", old, now),
  ];
}

function responseChanges(
  comparison: OperationComparison,
  location: string,
  oldResponses: Json,
  nowResponses: Json,
): string[] {
  const { before, after } = comparison.documents;
  return Object.keys(oldResponses).flatMap((status) => {
    // A failure without an entry of its own is described by the default one.
    const nowResponse =
      nowResponses[status] ?? (/^[23]/.test(status) ? undefined : nowResponses["default"]);
    const here = `${location} ${status}`;
    if (nowResponse === undefined) return [`${here}: gone`];
    const old = jsonOf(resolved(oldResponses[status], before));
    const now = jsonOf(resolved(nowResponse, after));
    // A header of the default may move to failures that have an entry of their own only now.
    const separate = Object.keys(nowResponses).filter(
      (other) => status === "default" && /^[45]/.test(other) && !(other in oldResponses),
    );
    const headers = [...separate.map((other) => jsonOf(resolved(nowResponses[other], after))), now]
      .map((response) => jsonOf(response["headers"]))
      .reduce((all, one) => ({ ...all, ...one }), {});
    return [
      ...contentChanges(comparison, here, "answer", old, now),
      ...headerChanges(comparison, here, jsonOf(old["headers"]), headers),
    ];
  });
}

function contentChanges(
  { schemaChanges }: OperationComparison,
  location: string,
  side: Side,
  old: Json,
  now: Json,
): string[] {
  const [before, after] = [jsonOf(old["content"]), jsonOf(now["content"])];
  return Object.keys(before).flatMap((type) => {
    if (!(type in after)) return [`${location}: ${type} gone`];
    const [oldSchema, nowSchema] = [jsonOf(before[type]), jsonOf(after[type])];
    return schemaChanges(location, side, oldSchema["schema"], nowSchema["schema"]);
  });
}

function headerChanges(
  { documents, schemaChanges }: OperationComparison,
  location: string,
  old: Json,
  now: Json,
): string[] {
  return Object.keys(old).flatMap((name) => {
    const here = `${location} header ${name}`;
    if (!(name in now)) return [`${here}: gone`];
    const before = jsonOf(resolved(old[name], documents.before));
    const after = jsonOf(resolved(now[name], documents.after));
    const mayLack = before["required"] === true && after["required"] !== true;
    return [
      ...(mayLack ? [`${here}: may now be absent`] : []),
      ...schemaChanges(here, "answer", before["schema"], after["schema"]),
    ];
  });
}

/** A caller that was admitted before must still be: an entry of the list is one way to authenticate. */
function securityChanges(location: string, old: unknown, now: unknown): string[] {
  const [before, after] = [waysToAuthenticate(old), waysToAuthenticate(now)];
  const isStillAdmitted = (way: readonly string[]) =>
    after.some((other) => other.every((needed) => way.includes(needed)));
  return before.every(isStillAdmitted) ? [] : [`${location}: asks for other credentials`];
}

/** The schemes of each way, with their scopes; one way without schemes if none is required. */
function waysToAuthenticate(security: unknown): string[][] {
  const ways = listOf(security).map((way) =>
    Object.entries(jsonOf(way)).flatMap(([scheme, scopes]) => [
      scheme,
      ...listOf(scopes).map((scope) => `${scheme} ${String(scope)}`),
    ]),
  );
  return ways.length === 0 ? [[]] : ways;
}
