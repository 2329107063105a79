import type { Collection } from "../documents/collection.ts";
import type { DocumentFilter } from "../filter/field-values.ts";
import { parseFilter } from "../filter/parse-filter.ts";
import { isSortable } from "../schema/field.ts";
import { findField } from "../schema/schema.ts";
import type { Field } from "../schema/field.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { SearchParameters } from "./search-parameters.ts";

/** Where documents without a value go. */
export type MissingValues = "first" | "last" | "normal";

/** One key of the order. */
export type SortKey = { descending: boolean } & (
  | { kind: "textMatch"; buckets: number }
  | { kind: "vectorDistance" }
  | { kind: "groupFound" }
  | { kind: "field"; field: Field; missing: MissingValues }
  | { kind: "eval"; cases: readonly { filter: DocumentFilter; score: number }[] }
);

/** One entry of `sort_by`, not yet understood. */
interface SortClause {
  /** With its parentheses, if it has any. */
  name: string;
  order: string;
}

/** What is searched for, as far as the default order depends on it. */
interface SortContext {
  isText: boolean;
  isVector: boolean;
}

/**
 * The keys of the order. Without `sort_by`: text match, vector distance, the default sorting field.
 * With fewer than three keys the text match, or the distance, follows.
 *
 * @throws TypesenseError 400 or 404 in the server's words.
 */
export function parseSortBy(
  collection: Collection,
  parameters: SearchParameters,
  context: SortContext,
): SortKey[] {
  const clauses = cutSortBy(parameters.sortBy);
  if (clauses.length > 3) throw new TypesenseError("Only upto 3 sort fields are allowed.");
  const keys = clauses.map((clause) => parseClause(collection, clause, context, parameters));
  const has = (kind: SortKey["kind"]) => keys.some((key) => key.kind === kind);
  const add = (kind: "textMatch" | "vectorDistance") => {
    if (has(kind) || keys.length >= 3) return;
    if (kind === "textMatch") keys.push({ kind, buckets: 0, descending: true });
    else keys.push({ kind, descending: false });
  };
  if (context.isText) add("textMatch");
  if (context.isVector && !context.isText) add("vectorDistance");
  const sorting = findField(collection.schema, collection.schema.defaultSortingField);
  if (clauses.length === 0 && sorting !== undefined) {
    keys.push({ kind: "field", field: sorting, missing: "normal", descending: true });
  }
  return keys;
}

/**
 * Cuts `sort_by` at the commas outside brackets, and each entry at its last colon.
 *
 * @throws TypesenseError 400 when an entry has no colon, or nothing after it.
 */
function cutSortBy(sortBy: string): SortClause[] {
  if (sortBy.trim() === "") return [];
  const entries: string[] = [""];
  let depth = 0;
  let quoted = false;
  for (const character of sortBy) {
    if (character === "`") quoted = !quoted;
    if (!quoted && "([".includes(character)) depth++;
    if (!quoted && ")]".includes(character)) depth--;
    if (character === "," && depth === 0 && !quoted) entries.push("");
    else entries[entries.length - 1] += character;
  }
  return entries.map((entry) => {
    const colon = entry.lastIndexOf(":");
    const clause = { name: entry.slice(0, colon).trim(), order: entry.slice(colon + 1).trim() };
    if (colon === -1 || clause.name === "" || clause.order === "") {
      throw new TypesenseError("Parameter `sort_by` is malformed.");
    }
    return clause;
  });
}

function parseClause(
  collection: Collection,
  clause: SortClause,
  context: SortContext,
  parameters: SearchParameters,
): SortKey {
  const order = clause.order.toLowerCase();
  if (order !== "asc" && order !== "desc") {
    throw new TypesenseError(`Order for field \`${clause.name}\` should be either ASC or DESC.`);
  }
  const descending = order === "desc";
  const [, name = "", argument] = /^([^(]*)(?:\((.*)\))?$/su.exec(clause.name) ?? [];
  if (name === "_eval") {
    return { kind: "eval", descending, cases: parseEval(collection, argument ?? "", parameters) };
  }
  if (name === "_text_match") {
    const buckets = Number(/^\s*buckets\s*:\s*(\d+)\s*$/u.exec(argument ?? "")?.[1] ?? 0);
    return { kind: "textMatch", descending, buckets };
  }
  if (name === "_vector_distance") {
    if (context.isVector) return { kind: "vectorDistance", descending };
    throw new TypesenseError(
      "sort_by vector_distance is only supported for vector queries, semantic search and hybrid search.",
      404,
    );
  }
  if (name === "_group_found" && parameters.groupBy.length > 0) {
    return { kind: "groupFound", descending };
  }
  const field = findField(collection.schema, name.trim());
  if (field === undefined || !isSortable(field)) {
    throw new TypesenseError(
      `Could not find a field named \`${name.trim()}\` in the schema for sorting.`,
      404,
    );
  }
  return { kind: "field", field, missing: parseMissing(field, argument), descending };
}

function parseMissing(field: Field, argument: string | undefined): MissingValues {
  if (argument === undefined) return "normal";
  const [, value] = /^\s*missing_values\s*:\s*(first|last|normal)\s*$/u.exec(argument) ?? [];
  if (value === "first" || value === "last" || value === "normal") return value;
  throw new TypesenseError(`Bad syntax for sorting field \`${field.name}\``);
}

/** `_eval(filter)` scores 1; `_eval([(filter):3, (filter):2])` the score of the first that fits. */
function parseEval(collection: Collection, argument: string, parameters: SearchParameters) {
  const filterOf = (text: string) => parseFilter(collection, text, parameters.validateFieldNames);
  const text = argument.trim();
  if (!text.startsWith("[")) return [{ filter: filterOf(text), score: 1 }];
  const cases = [...text.matchAll(/\(((?:[^()]|\([^()]*\))*)\)\s*:\s*(\d+)/gu)];
  if (cases.length === 0) throw new TypesenseError("Parameter `sort_by` is malformed.");
  return cases.map(([, filter = "", score]) => ({
    filter: filterOf(filter),
    score: Number(score),
  }));
}
