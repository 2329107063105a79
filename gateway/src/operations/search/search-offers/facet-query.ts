import { OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Region } from "@storefront/identifiers";
import { z } from "zod";
import type { Aggregations } from "../../../records/aggregations.ts";
import { zTrimmedText } from "../../../schemas/parameters.ts";
import { aggregationsOf, facets } from "../../../records/aggregations.ts";
import type { RequestContext } from "../../../upstream/request-context.ts";

const facetNames = Object.values(facets);
const facetRule = `must be one of ${facetNames.join(", ")}`;

/** Which facet is narrowed to which of its values. */
export const zFacetQuery = z
  .object(
    {
      facet: z
        .enum(facetNames, facetRule)
        .meta({ description: "The facet, as in `aggregations`.", example: "developer" }),
      text: zTrimmedText("text", 100, {
        description:
          "What is typed: each of its words is found within a word of a value, or as the beginning of several that are written together; case, accents and punctuation do not matter.",
        example: "harb",
      }),
    },
    "must be an object with facet and text",
  )
  .meta({
    id: "FacetQuery",
    description:
      "Narrows a facet to the values that contain a text, of which the first 250 are given. It is answered also without `aggregations`, and then alone. 503 while the search service is too old for it.",
  });

type FacetQuery = z.output<typeof zFacetQuery>;

const asked = new Map<FacetQuery["facet"], OfferAggregation>(
  (Object.keys(facets) as (keyof typeof facets)[]).map((name) => [
    facets[name],
    OfferAggregation[name],
  ]),
);

/** Values of a facet that contain a text, as the member of the aggregations that they take the place of. */
export async function searchFacet(
  ctx: RequestContext,
  query: MessageInitShape<typeof OfferQuerySchema>,
  region: Region,
  { isDisjunctive, facetQuery }: { isDisjunctive: boolean; facetQuery: FacetQuery },
): Promise<Partial<Aggregations>> {
  const facet = asked.get(facetQuery.facet) ?? OfferAggregation.UNSPECIFIED;
  const found = await ctx.aggregations.find(ctx, query, region, {
    isDisjunctive,
    facetQuery: { facet, text: facetQuery.text },
  });
  return { [facetQuery.facet]: aggregationsOf(found)[facetQuery.facet] };
}
