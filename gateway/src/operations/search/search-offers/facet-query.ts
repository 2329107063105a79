import { OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Region } from "@storefront/identifiers";
import { z } from "zod";
import type { Aggregations } from "../../../schemas/aggregations.ts";
import { facets } from "../../../schemas/search-fields.ts";
import { isAtMost, isCleanText } from "../../../schemas/text-rules.ts";
import { aggregationsOf } from "../../../shape/aggregations.ts";
import type { RequestContext } from "../../../upstream/request-context.ts";

const facetNames = Object.values(facets);
const facetRule = `must be one of ${facetNames.join(", ")}`;

const textMaxLength = 100;
const textRule = `must be text of 1 to ${textMaxLength} characters after trimming, without NUL or lone surrogates`;

/** Which facet is narrowed to which of its values. */
export const zFacetQuery = z
  .object(
    {
      facet: z
        .enum(facetNames, facetRule)
        .meta({ description: "The facet, as in `aggregations`.", example: "developer" }),
      text: z
        .string(textRule)
        .overwrite((text) => text.trim())
        .refine(
          (text) => text !== "" && isAtMost(text, textMaxLength) && isCleanText(text),
          textRule,
        )
        .meta({
          description:
            "What is typed: each of its words is found within a word of a value, or as the beginning of several that are written together; case, accents and punctuation do not matter.",
          example: "harb",
          minLength: 1,
          maxLength: textMaxLength,
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
