import type { Collection } from "../documents/collection.ts";
import type { DocumentFilter } from "../filter/document-filter.ts";
import { parseFilter } from "../filter/parse-filter.ts";
import { isSortable } from "../schema/field.ts";
import { findField } from "../schema/schema.ts";
import type { Field } from "../schema/field.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { SearchParameters } from "./search-parameters.ts";
import { cutSortBy } from "./cut-sort-by.ts";

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

/** What is searched for, as far as the default order depends on it. */
export interface SortContext {
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
  if (clauses.length > 3) throw new TypesenseError(400, "Only upto 3 sort fields are allowed.");
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

function parseClause(
  collection: Collection,
  clause: { name: string; order: string },
  context: SortContext,
  parameters: SearchParameters,
): SortKey {
  const order = clause.order.toLowerCase();
  if (order !== "asc" && order !== "desc") {
    throw new TypesenseError(
      400,
      `Order for field \`${clause.name}\` should be either ASC or DESC.`,
    );
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
      404,
      "sort_by vector_distance is only supported for vector queries, semantic search and hybrid search.",
    );
  }
  if (name === "_group_found" && parameters.groupBy.length > 0) {
    return { kind: "groupFound", descending };
  }
  const field = findField(collection.schema, name.trim());
  if (field === undefined || !isSortable(field)) {
    throw new TypesenseError(
      404,
      `Could not find a field named \`${name.trim()}\` in the schema for sorting.`,
    );
  }
  return { kind: "field", field, missing: parseMissing(field, argument), descending };
}

function parseMissing(field: Field, argument: string | undefined): MissingValues {
  if (argument === undefined) return "normal";
  const [, value] = /^\s*missing_values\s*:\s*(first|last|normal)\s*$/u.exec(argument) ?? [];
  if (value === "first" || value === "last" || value === "normal") return value;
  throw new TypesenseError(400, `Bad syntax for sorting field \`${field.name}\``);
}

/** `_eval(filter)` scores 1; `_eval([(filter):3, (filter):2])` the score of the first that fits. */
function parseEval(collection: Collection, argument: string, parameters: SearchParameters) {
  const filterOf = (text: string) => parseFilter(collection, text, parameters.validateFieldNames);
  const text = argument.trim();
  if (!text.startsWith("[")) return [{ filter: filterOf(text), score: 1 }];
  const cases = [...text.matchAll(/\(((?:[^()]|\([^()]*\))*)\)\s*:\s*(\d+)/gu)];
  if (cases.length === 0) throw new TypesenseError(400, "Parameter `sort_by` is malformed.");
  return cases.map(([, filter = "", score]) => ({
    filter: filterOf(filter),
    score: Number(score),
  }));
}
