import { TypesenseError } from "../typesense-error.ts";

/** Search parameters as texts, the way a query string holds them. */
export type RawParameters = ReadonlyMap<string, string>;

/** The parameters of a search, defaults filled in; those that the double leaves out are ignored. */
export type SearchParameters = ReturnType<typeof readSearchParameters>;

/**
 * Reads the parameters of one search; unknown ones are ignored, as the server does.
 *
 * @throws TypesenseError 400 without `q`, and for what should be an unsigned integer.
 */
export function readSearchParameters(raw: RawParameters) {
  const q = raw.get("q");
  if (q === undefined) throw new TypesenseError("Parameter `q` is required.");
  const text = (name: string) => raw.get(name) ?? "";
  const list = (name: string) => splitList(text(name));
  const whole = (name: string, otherwise: number): number => {
    const value = raw.get(name);
    if (value === undefined) return otherwise;
    if (/^\d+$/u.test(value)) return Number(value);
    throw new TypesenseError(`Parameter \`${name}\` must be an unsigned integer.`);
  };
  const flag = (name: string, otherwise: boolean) =>
    raw.has(name) ? raw.get(name) === "true" : otherwise;
  const exhaustiveSearch = flag("exhaustive_search", false);
  const facetQuery = text("facet_query");
  return {
    q,
    queryBy: list("query_by"),
    queryByWeights: list("query_by_weights").map(Number),
    numTypos: raw.has("num_typos") ? list("num_typos").map(Number) : [2],
    prefix: raw.has("prefix") ? list("prefix").map((value) => value === "true") : [true],
    filterBy: text("filter_by"),
    sortBy: text("sort_by"),
    facetBy: splitOutsideParentheses(text("facet_by")),
    facetQuery,
    facetQueryNumTypos: whole("facet_query_num_typos", 2),
    maxFacetValues: whole("max_facet_values", 10),
    groupBy: list("group_by"),
    groupLimit: whole("group_limit", 3),
    groupMissingValues: flag("group_missing_values", true),
    vectorQuery: text("vector_query"),
    includeFields: list("include_fields"),
    excludeFields: list("exclude_fields"),
    perPage: whole("per_page", whole("limit", facetQuery === "" ? 10 : 0)),
    page: whole("page", 0),
    offset: whole("offset", 0),
    limitHits: whole("limit_hits", 1_000_000),
    dropTokensThreshold: whole("drop_tokens_threshold", 1),
    typoTokensThreshold: whole("typo_tokens_threshold", 1),
    minLength1Typo: whole("min_len_1typo", 4),
    minLength2Typo: whole("min_len_2typo", 7),
    maxCandidates: whole("max_candidates", exhaustiveSearch ? 10_000 : 10),
    exhaustiveSearch,
    splitJoinTokens: choose(text("split_join_tokens"), ["fallback", "off", "always"]),
    textMatchType: choose(text("text_match_type"), ["max_score", "max_weight", "sum_score"]),
    prioritizeExactMatch: flag("prioritize_exact_match", true),
    prioritizeNumMatchingFields: flag("prioritize_num_matching_fields", true),
    validateFieldNames: flag("validate_field_names", true),
    highlightStartTag: raw.get("highlight_start_tag") ?? "<mark>",
    highlightEndTag: raw.get("highlight_end_tag") ?? "</mark>",
    snippetThreshold: whole("snippet_threshold", 30),
    highlightAffixTokens: whole("highlight_affix_num_tokens", 4),
  };
}

/** The entries of a comma-separated list, trimmed, empty ones left out. */
export function splitList(value: string): string[] {
  return value
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** The same, but a comma between parentheses belongs to its entry. */
export function splitOutsideParentheses(value: string): string[] {
  const entries = value.match(/(?:\([^)]*\)?|[^,(])+/gu) ?? [];
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** The value if it is one of the names, else the first name. */
function choose<Name extends string>(value: string, names: readonly [Name, ...Name[]]): Name {
  return names.find((name) => name === value) ?? names[0];
}
