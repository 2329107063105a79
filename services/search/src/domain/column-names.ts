import { integerFields } from "./offer-fields.ts";
import type { IntegerName } from "./offer-fields.ts";

/** `release_date` for `releaseDate`, as in tables. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Columns of integer fields; their names leave units out. */
export const integerColumns: ReadonlyMap<IntegerName, string> = new Map(
  (Object.keys(integerFields) as IntegerName[]).map((name) => [
    name,
    snakeCase(name.replace(/Ms$/, "")),
  ]),
);
