/** The server takes 100 operands and operators together; this leaves room for what else is asked. */
const maxAnyOf = 20;

/** Joins conditions; each, and all together, in parentheses, for `&&` and `||` bind equally. */
export function allConditions(conditions: readonly string[]): string {
  return `(${conditions.map((condition) => `(${condition})`).join(" && ")})`;
}

/** A condition that a field of tokens has all of these. */
export function hasAll(field: string, tokens: readonly string[]): string {
  return `${field}:${quote(tokens.join(" "))}`;
}

/** A condition that a field of tokens has any of these. */
export function hasAny(field: string, tokens: readonly string[]): string {
  return `${field}:[${tokens.map(quote).join(",")}]`;
}

/** A condition that a field of tokens, if there, lacks this one. */
export function lacks(field: string, token: string): string {
  return `${field}:!${quote(token)}`;
}

/** What a field of tokens must have: any of each of these lists. */
export type TokenClauses = readonly (readonly string[])[];

/** Conditions that a field fulfils clauses. Of more than 20 with a choice, the rest has the first token. */
export function fulfils(field: string, clauses: TokenClauses): string[] {
  const choices = clauses.filter((tokens) => tokens.length > 1).slice(0, maxAnyOf);
  const fixed = clauses.filter((tokens) => !choices.includes(tokens));
  const must = [...new Set(fixed.flatMap((tokens) => tokens.slice(0, 1)))];
  return [
    ...(must.length === 0 ? [] : [hasAll(field, must)]),
    ...choices.map((tokens) => hasAny(field, tokens)),
  ];
}

/** @throws TypeError for what could change a filter's structure. */
function quote(tokens: string): string {
  if (!/^[a-z0-9]+( [a-z0-9]+)*$/.test(tokens)) throw new TypeError("not made of tokens");
  return `\`${tokens}\``;
}
