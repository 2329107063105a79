import { integerFields } from "./offer-fields.ts";
import type { IntegerName } from "./offer-fields.ts";

/** As names in tables are spelled: `release_date` for `releaseDate`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns of whole numbers, by the field that they hold; units are left out of their names. */
export const integerColumns: ReadonlyMap<IntegerName, string> = new Map(
  (Object.keys(integerFields) as IntegerName[]).map((name) => [
    name,
    snakeCase(name.replace(/Ms$/, "")),
  ]),
);
