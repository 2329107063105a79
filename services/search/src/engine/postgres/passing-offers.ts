import type { OfferSelection } from "../offer-search.ts";
import { foundOffers } from "./columns/found-offers.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { wantedOf } from "./wanted-offers.ts";

/** The numbers of the offers that a selection lets through. */
export async function passingOffers(
  deps: SearchDependencies,
  generation: number,
  selection: OfferSelection,
): Promise<Int32Array> {
  const wanted = await wantedOf(deps, generation, selection.filter, { isRanked: false });
  const columns = await deps.columns.read(generation, selection.region, { hasTimes: false });
  return foundOffers(columns, selection, wanted);
}
