import { z } from "zod";
import { zBuildTechnology } from "../../../schemas/build.ts";
import { zGiveaway } from "../../../schemas/mobile-free-game.ts";
import { zOffer, zOfferPrice, zOfferTag } from "../../../schemas/offer.ts";
import { zCountry, zIdentifier, zLocale } from "../../../schemas/parameters.ts";

export const zGetOfferOverviewInput = z.object({
  id: zIdentifier("Id of the offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
  country: zCountry,
  locale: zLocale,
});

const zFreeForm = z.record(z.string(), z.unknown()).nullable();

export const zGetOfferOverviewOutput = z
  .object({
    offer: zOffer,
    price: zOfferPrice,
    media: zFreeForm.meta({ description: "Pictures and videos, as the source gives them." }),
    extdb: zFreeForm.meta({ description: "The offer in an external database of games." }),
    features: z
      .object({
        features: z
          .array(z.string())
          .meta({ description: "Names of the offer's features.", examples: [["Co-op"]] }),
        epicFeatures: z
          .array(z.string())
          .meta({ description: "Names of what the storefront adds.", examples: [["Cloud Saves"]] }),
      })
      .meta({ id: "OfferFeatures", description: "From the offer's active tags." })
      .nullable()
      .meta({ description: "What the offer can do; null when unknown." }),
    ageRating: zFreeForm.meta({
      description:
        "One member, named after the rating system of the country: ESRB, PEGI, USK, CERO, ACB, ClassInd, GRAC or Generic. Null when that system has not rated the sandbox.",
      examples: [{ ESRB: { gameRating: "TEEN", ageControl: 13 } }],
    }),
    giveaways: z
      .array(zGiveaway)
      .meta({ description: "Every giveaway of the offer on any platform, newest first." }),
    polls: zFreeForm.meta({ description: "Results of player polls." }),
    genres: z.array(zOfferTag).meta({ description: "The offer's active tags that are genres." }),
    technologies: z.array(zBuildTechnology).meta({
      description:
        "Found in the newest build of each application of the offer's items, else of its sandbox's executables.",
    }),
  })
  .meta({
    id: "OfferOverview",
    description: "An offer and what stands beside it; a part that is unknown is null or empty.",
  });

export type OfferOverview = z.output<typeof zGetOfferOverviewOutput>;
