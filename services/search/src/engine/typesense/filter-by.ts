/** Tokens of one operand: of more than 128 the server finds none. */
const maxTokens = 100;

/** Joins conditions; each, and all together, in parentheses, for `&&` and `||` bind equally. */
export function allConditions(conditions: readonly string[]): string {
  return `(${conditions.map((condition) => `(${condition})`).join(" && ")})`;
}

/** Conditions that a field of tokens has all of these. */
export function hasAll(field: string, tokens: readonly string[]): string[] {
  const conditions: string[] = [];
  for (let at = 0; at < tokens.length; at += maxTokens) {
    conditions.push(`${field}:${quote(tokens.slice(at, at + maxTokens).join(" "))}`);
  }
  return conditions;
}

/** A condition that a field of tokens has any of these. */
export function hasAny(field: string, tokens: readonly string[]): string {
  return `${field}:[${tokens.map(quote).join(",")}]`;
}

/** A condition that a field of tokens, if there, lacks this one. */
export function lacks(field: string, token: string): string {
  return `${field}:!${quote(token)}`;
}

/** @throws TypeError for what could change a filter's structure. */
function quote(tokens: string): string {
  if (!/^[a-z0-9]+( [a-z0-9]+)*$/.test(tokens)) throw new TypeError("not made of tokens");
  return `\`${tokens}\``;
}
