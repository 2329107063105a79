import type { AgeRating } from "@storefront/contracts/catalog/v1/age_rating";
import type { Tag } from "@storefront/contracts/catalog/v1/tag";
import type { Offer } from "../../../schemas/offer.ts";
import type { PricePoint } from "../../../schemas/price-point.ts";
import { buildTechnologyOf } from "../../../shape/build.ts";
import { giveawayOf } from "../../../shape/giveaway.ts";
import type { FoundOffer } from "../../../upstream/clients.ts";
import type { OverviewParts } from "./find-overview-parts.ts";
import type { OfferOverview } from "./get-offer-overview.schema.ts";
import { ratingSystemOf } from "./rating-system.ts";

/** What an overview is made of. */
export interface OverviewInput extends OverviewParts {
  /** The offer as stored. */
  found: FoundOffer;
  /** The offer as it is shown. */
  offer: Offer;
  price: PricePoint | null;
  /** Two capital letters. */
  country: string;
}

/** The overview of an offer; parts that are missing are null or empty. */
export function offerOverviewOf(input: OverviewInput): OfferOverview {
  const { found, offer, price, country, about, giveaways = [] } = input;
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
    polls: details?.polls ?? null,
    genres: tagsOf("genre"),
    technologies: technologies.map(buildTechnologyOf),
  };
}

type ShownTag = Offer["tags"][number];

/** What gives tags names of its own. */
interface Tagged {
  tags: readonly { id: string; name?: string | null | undefined }[];
}

/** Tags of a group, named as the last of the offers names them, else as they name themselves. */
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

function ageRatingIn(ratings: readonly AgeRating[], system: string): OfferOverview["ageRating"] {
  const rating = ratings.find(({ ratingSystem }) => ratingSystem === system);
  return rating === undefined ? null : { [system]: rating.rating ?? {} };
}
