import type { IntegerName } from "../domain/offer-fields.ts";
import { integerFields } from "../domain/offer-fields.ts";
import { snakeCase } from "../domain/snake-case.ts";

/** The columns of whole numbers, by the field that they hold; units are left out of their names. */
export const integerColumns: ReadonlyMap<IntegerName, string> = new Map(
  (Object.keys(integerFields) as IntegerName[]).map((name) => [
    name,
    snakeCase(name.replace(/Ms$/, "")),
  ]),
);
