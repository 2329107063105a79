import type { OfferSelection } from "../offer-search.ts";
import { foundOffers, offersAtOnce } from "./columns/found-offers.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { Turns } from "./turns.ts";
import { wantedOf } from "./wanted-offers.ts";

/** The numbers of the offers that a selection lets through. */
export async function passingOffers(
  deps: SearchDependencies,
  generation: number,
  selection: OfferSelection,
): Promise<Int32Array> {
  const wanted = await wantedOf(deps, generation, selection.filter, { isRanked: false });
  const asked = { region: selection.region, hasTimes: false };
  return await deps.columns.read(generation, asked, (columns) =>
    foundOffers(columns, selection, wanted, new Turns(offersAtOnce)),
  );
}
