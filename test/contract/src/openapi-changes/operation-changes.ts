import { jsonOf, listOf, resolved } from "./json.ts";
import type { Json } from "./json.ts";
import type { createSchemaComparison, Documents, Side } from "./schema-changes.ts";

/** What compares operations. */
export interface OperationComparison {
  documents: Documents;
  schemaChanges: ReturnType<typeof createSchemaComparison>;
}

/** What clients of an operation cannot cope with, each with its place. */
export function operationChanges(
  comparison: OperationComparison,
  place: string,
  old: Json,
  now: Json,
): string[] {
  const { documents } = comparison;
  return [
    // Generators name functions after it.
    ...(old["operationId"] === now["operationId"] ? [] : [`${place}: operationId changed`]),
    ...parameterChanges(comparison, place, old, now),
    ...bodyChanges(comparison, `${place} body`, old["requestBody"], now["requestBody"]),
    ...answerChanges(comparison, place, jsonOf(old["responses"]), jsonOf(now["responses"])),
    ...securityChanges(
      place,
      old["security"] ?? documents.before["security"],
      now["security"] ?? documents.after["security"],
    ),
  ];
}

function parameterChanges(
  { documents, schemaChanges }: OperationComparison,
  place: string,
  old: Json,
  now: Json,
): string[] {
  const before = parametersOf(old, documents.before);
  const after = parametersOf(now, documents.after);
  const added = [...after].filter(([key]) => !before.has(key));
  return [
    ...added
      .filter(([, { required }]) => required === true)
      .map(([key]) => `${place} ${key}: is new and required`),
    ...[...before].flatMap(([key, parameter]) => {
      const other = after.get(key);
      if (other === undefined) return [`${place} ${key}: gone`];
      const isStricter = parameter["required"] !== true && other["required"] === true;
      const isWrittenOtherwise = ["style", "explode"].some(
        (rule) => parameter[rule] !== other[rule],
      );
      return [
        ...(isStricter ? [`${place} ${key}: is now required`] : []),
        ...(isWrittenOtherwise ? [`${place} ${key}: is written otherwise`] : []),
        ...schemaChanges(`${place} ${key}`, "request", parameter["schema"], other["schema"]),
      ];
    }),
  ];
}

/** By where they are and what they are called; names of headers in any case. */
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
  place: string,
  oldBody: unknown,
  nowBody: unknown,
): string[] {
  const { before, after } = comparison.documents;
  const [old, now] = [jsonOf(resolved(oldBody, before)), jsonOf(resolved(nowBody, after))];
  const isStricter = old["required"] !== true && now["required"] === true;
  return [
    ...(isStricter ? [`${place}: is now required`] : []),
    ...contentChanges(comparison, place, "request", old, now),
  ];
}

function answerChanges(
  comparison: OperationComparison,
  place: string,
  oldAnswers: Json,
  nowAnswers: Json,
): string[] {
  const { before, after } = comparison.documents;
  return Object.keys(oldAnswers).flatMap((status) => {
    // A failure without an entry of its own is described by the default one.
    const nowAnswer =
      nowAnswers[status] ?? (/^[23]/.test(status) ? undefined : nowAnswers["default"]);
    const here = `${place} ${status}`;
    if (nowAnswer === undefined) return [`${here}: gone`];
    const old = jsonOf(resolved(oldAnswers[status], before));
    const now = jsonOf(resolved(nowAnswer, after));
    // A header of the default may be left to failures that have an entry of their own only now.
    const separate = Object.keys(nowAnswers).filter(
      (other) => status === "default" && /^[45]/.test(other) && !(other in oldAnswers),
    );
    const headers = [...separate.map((other) => jsonOf(resolved(nowAnswers[other], after))), now]
      .map((answer) => jsonOf(answer["headers"]))
      .reduce((all, one) => ({ ...all, ...one }), {});
    return [
      ...contentChanges(comparison, here, "answer", old, now),
      ...headerChanges(comparison, here, jsonOf(old["headers"]), headers),
    ];
  });
}

function contentChanges(
  { schemaChanges }: OperationComparison,
  place: string,
  side: Side,
  old: Json,
  now: Json,
): string[] {
  const [before, after] = [jsonOf(old["content"]), jsonOf(now["content"])];
  return Object.keys(before).flatMap((type) => {
    if (!(type in after)) return [`${place}: ${type} gone`];
    const [oldSchema, nowSchema] = [jsonOf(before[type]), jsonOf(after[type])];
    return schemaChanges(place, side, oldSchema["schema"], nowSchema["schema"]);
  });
}

function headerChanges(
  { documents, schemaChanges }: OperationComparison,
  place: string,
  old: Json,
  now: Json,
): string[] {
  return Object.keys(old).flatMap((name) => {
    const here = `${place} header ${name}`;
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

/** Who might call before needs nothing more now: an entry of the list is one way to be let in. */
function securityChanges(place: string, old: unknown, now: unknown): string[] {
  const [before, after] = [waysIn(old), waysIn(now)];
  const isStillIn = (way: readonly string[]) =>
    after.some((other) => other.every((needed) => way.includes(needed)));
  return before.every(isStillIn) ? [] : [`${place}: asks for other credentials`];
}

/** Schemes with their scopes, of each way; one without any where nothing is asked for. */
function waysIn(security: unknown): string[][] {
  const ways = listOf(security).map((way) =>
    Object.entries(jsonOf(way)).flatMap(([scheme, scopes]) => [
      scheme,
      ...listOf(scopes).map((scope) => `${scheme} ${String(scope)}`),
    ]),
  );
  return ways.length === 0 ? [[]] : ways;
}
