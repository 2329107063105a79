import type { AgeRating } from "@storefront/contracts/catalog/v1/age_rating";
import type { GetOfferOverviewResponse } from "@storefront/contracts/catalog/v1/catalog_service";
import type { OfferDetails } from "@storefront/contracts/catalog/v1/offer_details";
import type { Tag } from "@storefront/contracts/catalog/v1/tag";
import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import { asCountry } from "@storefront/domain/identifiers";
import type { Country, OfferId } from "@storefront/domain/identifiers";
import { z } from "zod";
import { bestEffort } from "../../compose/best-effort.ts";
import { findShownPrices } from "../../compose/find-price.ts";
import { findReviewSummaries } from "../../compose/find-review-summaries.ts";
import { knownOffer } from "../../compose/known-offer.ts";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { buildTechnologyOf, zBuildTechnology } from "../../records/build.ts";
import { giveawayOf, zGiveaway } from "../../records/giveaway.ts";
import type { Mapped } from "../../records/mapped-fields.ts";
import { zList, zObject } from "../../records/members.ts";
import { zOffer, zOfferPrice, zOfferTag } from "../../records/offer.ts";
import type { Offer } from "../../records/offer.ts";
import type { PricePoint } from "../../records/price.ts";
import { zReviewSummary } from "../../records/review-summary.ts";
import { zCountry, zLocale, zLows, zOfferId } from "../../schemas/parameters.ts";
import type { FoundOffer } from "../../upstream/clients.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import { operation } from "../operation.ts";

const zFreeForm = z.record(z.string(), z.unknown()).nullable();

const zOfferOverview = zObject(
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

/** How long an overview waits for each part that it can do without. */
const overviewBudgetMs = 1000;

export const getOfferOverview = operation({
  path: "/offers/{id}/overview",
  operationId: "getOfferOverview",
  tag: "offers",
  summary: "Get an offer and everything about it",
  description:
    "The offer without a price inside, and beside it its price, media, features, age rating, giveaways, polls, genres and technologies. A part that is unavailable is null or empty, and `Catalog-Degraded` names its service.",
  cost: 3,
  input: z.object({ id: zOfferId, country: zCountry, locale: zLocale, lows: zLows }),
  failures: [404],
  output: zOfferOverview,
  resolve: async ({ ctx, input: { id, locale, country: named, lows } }) => {
    const { country, region } = resolveCountry(ctx, named);
    const finding = ctx.clients.loadOffers(ctx, requestLocale(locale), [id]);
    const [found, [price], parts] = await Promise.all([
      knownOffer(finding),
      findShownPrices(ctx, [id], region, lows ? finding : undefined),
      findOverviewParts(ctx, id),
    ]);
    const offer = localiseOffer(found, locale);
    return offerOverviewOf({ ...parts, found, offer, price: price ?? null, country });
  },
});

/** The parts beside the offer and its price, looked up concurrently. */
async function findOverviewParts(
  ctx: RequestContext,
  offerId: OfferId,
): Promise<Pick<OverviewParts, "about" | "giveaways" | "reviewSummary">> {
  const { catalog, pricing } = ctx.clients;
  const [about, given, [reviewSummary = null]] = await Promise.all([
    bestEffort(ctx, "catalog", overviewBudgetMs, (scope) =>
      catalog.getOfferOverview(scope, { offerId }),
    ),
    bestEffort(ctx, "pricing", overviewBudgetMs, (scope) =>
      pricing.listOfferGiveaways(scope, { offerId }),
    ),
    findReviewSummaries(ctx, [offerId]),
  ]);
  return { about, giveaways: given?.giveaways, reviewSummary };
}

type OfferOverview = z.output<typeof zOfferOverview>;

interface OverviewParts {
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

function offerOverviewOf(parts: OverviewParts): ShownOverview {
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

/** Tags are all active, and of the requested group. */
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
