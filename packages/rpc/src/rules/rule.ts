/**
 * What a value must be, as the rest of a sentence (`must be at most 512 characters`), or undefined
 * when it is that.
 */
export type Rule = (value: unknown) => string | undefined;

/** The first rule that a value breaks. */
export function firstFault(rules: readonly Rule[], value: unknown): string | undefined {
  for (const rule of rules) {
    const fault = rule(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
