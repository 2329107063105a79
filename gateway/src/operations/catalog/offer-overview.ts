import type { AgeRating } from "@storefront/contracts/catalog/v1/age_rating";
import type { GetOfferOverviewResponse } from "@storefront/contracts/catalog/v1/catalog_service";
import type { OfferDetails } from "@storefront/contracts/catalog/v1/offer_details";
import type { Tag } from "@storefront/contracts/catalog/v1/tag";
import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import { asCountry } from "@storefront/domain/identifiers";
import type { Country } from "@storefront/domain/identifiers";
import { z } from "zod";
import { buildTechnologyOf, zBuildTechnology } from "../../records/build.ts";
import { giveawayOf, zGiveaway } from "../../records/giveaway.ts";
import { zList, zObject } from "../../records/members.ts";
import { zOffer, zOfferPrice, zOfferTag } from "../../records/offer.ts";
import type { Offer } from "../../records/offer.ts";
import type { PricePoint } from "../../records/price.ts";
import { zReviewSummary } from "../../records/review-summary.ts";
import type { Mapped } from "../../records/mapped-fields.ts";
import type { FoundOffer } from "../../upstream/clients.ts";

const zFreeForm = z.record(z.string(), z.unknown()).nullable();

export const zOfferOverview = zObject(
  "OfferOverview",
  "An offer and what stands beside it; a part that is unknown is null or empty.",
  {
    offer: zOffer,
    price: zOfferPrice,
    media: zFreeForm.meta({ description: "Pictures and videos, as the source gives them." }),
    extdb: zFreeForm.meta({ description: "The offer in an external database of games." }),
    features: zObject("OfferFeatures", "From the offer's active tags.", {
      features: z
        .array(z.string())
        .meta({ description: "Names of the offer's features.", examples: [["Co-op"]] }),
      epicFeatures: z
        .array(z.string())
        .meta({ description: "Names of what the storefront adds.", examples: [["Cloud Saves"]] }),
    })
      .nullable()
      .meta({ description: "What the offer can do; null when unknown." }),
    ageRating: zFreeForm.meta({
      description:
        "One member, named after the rating system of the country: ESRB, PEGI, USK, CERO, ACB, ClassInd, GRAC or Generic. Null when that system has not rated the sandbox.",
      examples: [{ ESRB: { gameRating: "TEEN", ageControl: 13 } }],
    }),
    giveaways: zList(zGiveaway, "Every giveaway of the offer on any platform, newest first."),
    reviewSummary: zReviewSummary.nullable().meta({
      description: "Ratings of all reviews of the offer; null when unavailable.",
    }),
    polls: zFreeForm.meta({ description: "Results of player polls." }),
    genres: zList(zOfferTag, "The offer's active tags that are genres."),
    technologies: zList(
      zBuildTechnology,
      "Found in the newest build of each application of the offer's items, else of its sandbox's executables.",
    ),
  },
);

type OfferOverview = z.output<typeof zOfferOverview>;

export interface OverviewParts {
  /** The offer as stored. */
  found: FoundOffer;
  offer: Offer;
  price: PricePoint | null;
  country: Country;
  /** Undefined when unavailable or too slow. */
  about: GetOfferOverviewResponse | undefined;
  /** Undefined when unavailable or too slow. */
  giveaways: Giveaway[] | undefined;
  reviewSummary: OfferOverview["reviewSummary"];
}

/** Tags are shown as features and genres; what the parts were read from is not shown. */
type ShownOverview = Mapped<
  Mapped<OfferOverview, OfferDetails, "offerId">,
  GetOfferOverviewResponse,
  "details" | "tags" | "ageRatings" | "sources"
>;

export function offerOverviewOf(parts: OverviewParts): ShownOverview {
  const { found, offer, price, country, about, giveaways = [], reviewSummary } = parts;
  const { details, technologies = [], ageRatings = [] } = about ?? {};
  const tagsOf = tagsByGroup(about?.tags ?? [], [found.offer, offer]);
  const namesOf = (group: string) => tagsOf(group).map(({ id, name }) => name ?? id);
  return {
    offer,
    price,
    media: details?.media ?? null,
    extdb: details?.extdb ?? null,
    features:
      about === undefined
        ? null
        : { features: namesOf("feature"), epicFeatures: namesOf("epicfeature") },
    ageRating: ageRatingIn(ageRatings, ratingSystemOf(country)),
    giveaways: giveaways.map((giveaway) => giveawayOf(giveaway, found.offer)),
    reviewSummary,
    polls: details?.polls ?? null,
    genres: tagsOf("genre"),
    technologies: technologies.map(buildTechnologyOf),
  };
}

/** Tags are all active, and of the group asked for. */
type ShownTag = Mapped<Offer["tags"][number], Tag, "aliases" | "status" | "groupName">;

interface Tagged {
  tags: readonly { id: string; name?: string | null | undefined }[];
}

/** Tags of a group. Names in the last of the offers replace those in the others, and the tags' own. */
function tagsByGroup(
  tags: readonly Tag[],
  offers: readonly Tagged[],
): (group: string) => ShownTag[] {
  const names = new Map(tags.map(({ id, name }) => [id, name ?? null]));
  for (const { id, name } of offers.flatMap((offer) => offer.tags)) {
    if (typeof name === "string") names.set(id, name);
  }
  return (group) =>
    tags
      .filter(({ groupName }) => groupName === group)
      .map(({ id }) => ({ id, name: names.get(id) ?? null }));
}

/** The rating's own members, under the name of its system. */
type ShownRating = Mapped<
  OfferOverview["ageRating"],
  AgeRating,
  "namespace" | "ratingSystem" | "rating"
>;

function ageRatingIn(ratings: readonly AgeRating[], system: string): ShownRating {
  const rating = ratings.find(({ ratingSystem }) => ratingSystem === system);
  return rating === undefined ? null : { [system]: rating.rating ?? {} };
}

const countriesBySystem: Record<string, string> = {
  ESRB: "US CA MX",
  PEGI: "AD AL AT BE BG CH CY CZ DK EE ES FI FR GB GR HR HU IE IL IS IT LT LU LV MT NL NO PL PT RO SE SI SK",
  USK: "DE",
  CERO: "JP",
  ACB: "AU",
  ClassInd: "BR",
  GRAC: "KR",
};

const systems = new Map(
  Object.entries(countriesBySystem).flatMap(([system, countries]) =>
    countries.split(" ").map((country) => [asCountry(country), system] as const),
  ),
);

/** The age rating system that a country uses; `Generic` where none is its own. */
export function ratingSystemOf(country: Country): string {
  return systems.get(country) ?? "Generic";
}
