import type { RequestCheck } from "@storefront/rpc";

/** Most elements of a batch. */
export const maxBatch = 1_000;
/** Most values of a filter. */
const maxFilterValues = 100;

/** A locale may be empty, which means that no texts are asked for. */
export function checkLocale(check: RequestCheck, locale: string): void {
  if (locale !== "") check.identifier("locale", locale);
}

/** Texts to filter by, such as platforms: at most 100. */
export function checkFilter(check: RequestCheck, field: string, values: readonly string[]): void {
  if (values.length > maxFilterValues) {
    check.that(field, false, `must have at most ${maxFilterValues} elements`);
    return;
  }
  for (const [index, value] of values.entries()) checkText(check, `${field}[${index}]`, value);
}

/** Any text that the database takes: it refuses NUL, which no stored text holds. */
export function checkText(check: RequestCheck, field: string, value: string): void {
  check.that(field, !value.includes("\0"), "must not contain NUL");
}
