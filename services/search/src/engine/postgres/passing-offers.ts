import type { Database } from "@storefront/database";
import type { OfferSelection } from "../offer-search.ts";
import { hitsFrom, hitsSource } from "./hits-source.ts";
import { Parameters } from "./offer-conditions.ts";
import { packed, unpacked } from "./packed-integers.ts";
import type { SearchDependencies } from "./search-offers.ts";

/** The offers of a selection, as the rows of a statement. */
export interface PassingOffers {
  /** Selects `number`. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** A statement for a selection; undefined when no offer passes. */
export async function passingOffers(
  deps: SearchDependencies,
  generation: number,
  selection: OfferSelection,
): Promise<PassingOffers | undefined> {
  const parameters = new Parameters();
  const source = await hitsSource(deps, generation, selection, parameters);
  if (source === undefined) return undefined;
  return { sql: `select offer.number ${hitsFrom(source)}`, values: parameters.values };
}

/** The numbers of those that pass. */
export async function readPassing(
  database: Database,
  { sql, values }: PassingOffers,
): Promise<Int32Array> {
  const row = await database.readOne<{ numbers: Buffer | null }>(
    `select ${packed("number")} as numbers from (${sql}) as passing`,
    values,
  );
  return unpacked(row?.numbers);
}
