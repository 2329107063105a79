import type { Region } from "../api/types.ts";
import { isSoldIn } from "./is-sold-in.ts";
import type { SalesLists } from "./is-sold-in.ts";

/**
 * The country whose price an offer has in a region: the chosen one where that is in the region, else
 * the first one that the offer is sold in.
 *
 * @returns undefined where the offer is not sold
 */
export function pricedCountryOf(
  { countries }: Pick<Region, "countries">,
  offer: SalesLists,
  chosen: string,
): string | undefined {
  const asked = countries.includes(chosen) ? [chosen] : countries;
  return asked.find((country) => isSoldIn(offer, country));
}
