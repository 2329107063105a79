import { asOfferId } from "@storefront/domain/identifiers";
import { z } from "zod";
import { findShownPrices } from "../../compose/find-price.ts";
import { findReviewSummaries } from "../../compose/find-review-summaries.ts";
import { hydrateOffers } from "../../compose/hydrate-offers.ts";
import { knownOffer } from "../../compose/known-offer.ts";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { notFound } from "../../errors/public-error.ts";
import { zList, zObject, zStrings } from "../../records/members.ts";
import { zFilterList } from "../../records/offer-filters.ts";
import { zPricedOffer } from "../../records/offer.ts";
import { zReviewSummary } from "../../records/review-summary.ts";
import { pickMembers, zFields } from "../../schemas/fields.ts";
import { listingRequest, listingShape, nextOf, zNext } from "../../schemas/paging.ts";
import { zCountry, zLocale, zLows, zOfferId, zSwitch } from "../../schemas/parameters.ts";
import { foundOffers } from "../../upstream/clients.ts";
import { operation } from "../operation.ts";

export const getOffer = operation({
  path: "/offers/{id}",
  operationId: "getOffer",
  tag: "offers",
  summary: "Get an offer",
  description: "One store listing with its price in the region of the country.",
  isRegional: true,
  input: z.object({ id: zOfferId, country: zCountry, locale: zLocale, lows: zLows }),
  failures: [404],
  output: zPricedOffer,
  resolve: async ({ ctx, input: { id, country, locale, lows } }) => {
    const { region } = resolveCountry(ctx, country);
    const finding = ctx.clients.loadOffers(ctx, requestLocale(locale), [id]);
    const [found, [price]] = await Promise.all([
      knownOffer(finding),
      findShownPrices(ctx, [id], region, lows ? finding : undefined),
    ]);
    return { ...localiseOffer(found, locale), price: price ?? null };
  },
});

export const listOffers = operation({
  path: "/offers",
  operationId: "listOffers",
  tag: "offers",
  summary: "List offers",
  description: "All offers by id, in parts, each with its price in the region of the country.",
  isRegional: true,
  // Of the largest part, as for a batch.
  cost: ({ limit }) => Math.max(3, Math.ceil(limit / 10)),
  input: z.object({
    ...listingShape,
    offerType: zFilterList("Only offers of these types, once for each.", ["BASE_GAME"]).optional(),
    country: zCountry,
    locale: zLocale,
    lows: zLows,
  }),
  failures: [404],
  output: zObject("OfferListing", "A part of all offers.", {
    offers: zList(zPricedOffer, "By id."),
    next: zNext,
  }),
  resolve: async ({ ctx, input: { offerType = [], country, locale, lows, ...listing } }) => {
    const { region } = resolveCountry(ctx, country);
    const request = {
      ...listingRequest(listing),
      offerTypes: offerType,
      locale: requestLocale(locale),
    };
    const { offers, texts, hasMore } = await ctx.clients.catalog.listOffers(ctx, request);
    const found = foundOffers(offers, texts);
    const ids = offers.map(({ id }) => asOfferId(id));
    const prices = await findShownPrices(
      ctx,
      ids,
      region,
      lows ? Promise.resolve(found) : undefined,
    );
    return {
      offers: found.map((each, index) => ({
        ...localiseOffer(each, locale),
        price: prices[index] ?? null,
      })),
      next: nextOf(offers.at(-1), hasMore),
    };
  },
});

export const listOfferCollection = operation({
  path: "/offers/{id}/collection",
  operationId: "listOfferCollection",
  tag: "offers",
  summary: "List the offers that an offer bundles",
  description: "Members of the offer's collection in their stored order, each with its price.",
  isRegional: true,
  cost: 3,
  input: z.object({ id: zOfferId, country: zCountry, locale: zLocale, lows: zLows }),
  failures: [404],
  output: z.array(zPricedOffer),
  resolve: async ({ ctx, input: { id, country, locale, lows } }) => {
    const { region } = resolveCountry(ctx, country);
    const owner = await knownOffer(ctx.clients.loadOffers(ctx, "", [id]));
    const memberIds = owner.offer.collectionOfferIds.map(asOfferId);
    if (memberIds.length === 0) throw notFound("Offer has no collection");
    const members = await hydrateOffers(ctx, memberIds, locale, region, lows);
    return members.filter((member) => member !== undefined);
  },
});

const idsRule = "must be an array of at most 1000 offer ids";

const zBatchGetOffersOutput = zObject(
  "OfferBatch",
  "The offers of the submitted ids, each id once.",
  {
    offers: zList(
      zPricedOffer
        .partial()
        .required({ id: true })
        .extend({
          reviewSummary: zReviewSummary
            .nullable()
            .optional()
            .meta({ description: "Ratings of all reviews; null when unavailable." }),
        })
        .meta({
          id: "BatchOffer",
          description:
            "A store listing with its price in one region. Without `fields` it has every member, `price` unless `prices` is false. With `reviewSummary` it has the ratings of its reviews, null when unavailable.",
        }),
      "The known offers in the order of the ids.",
    ),
    unknown: zStrings("Ids that no offer has, in their order.", [
      "00000000000000000000000000000000",
    ]),
  },
);

export const batchGetOffers = operation({
  method: "POST",
  path: "/offers/batch",
  operationId: "batchGetOffers",
  tag: "offers",
  summary: "Get many offers",
  description:
    "Up to 1,000 offers, each as `getOffer` shows it. A repeated id has one offer, at its first position.",
  query: ["country", "locale"],
  // An offer of a batch takes less than a tenth of the time of a single one.
  cost: ({ ids }) => Math.max(1, Math.ceil(ids.length / 10)),
  input: z.object({
    ids: z
      .array(zOfferId, idsRule)
      .max(1000, idsRule)
      .meta({
        description: "Ids of the offers.",
        example: ["5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b", "00000000000000000000000000000000"],
      }),
    prices: zSwitch("Whether offers come with their prices.", true),
    lows: zLows,
    reviewSummary: zSwitch("Whether offers come with the ratings of their reviews."),
    fields: zFields(zPricedOffer, "id", ["title", "price"]),
    country: zCountry,
    locale: zLocale,
  }),
  failures: [404],
  output: zBatchGetOffersOutput,
  bodyExample: { ids: ["5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b", "00000000000000000000000000000000"] },
  resolve: async ({ ctx, input }) => {
    const { ids, prices, lows, reviewSummary: isRated, fields, country, locale } = input;
    const { region } = resolveCountry(ctx, country);
    const offerIds = [...new Set(ids)];
    const names = fields && new Set<string>(fields);
    const isPriced = prices && names?.has("price") !== false;
    const loaded = async () =>
      (await ctx.clients.loadOffers(ctx, requestLocale(locale), offerIds)).map(
        (each) => each && localiseOffer(each, locale),
      );
    const [found, summaries] = await Promise.all([
      isPriced ? hydrateOffers(ctx, offerIds, locale, region, lows) : loaded(),
      isRated ? findReviewSummaries(ctx, offerIds) : [],
    ]);
    return {
      offers: found.flatMap((offer, index) => {
        if (offer === undefined) return [];
        const shown = names === undefined ? offer : { ...pickMembers(offer, names), id: offer.id };
        return [isRated ? { ...shown, reviewSummary: summaries[index] ?? null } : shown];
      }),
      unknown: offerIds.filter((_id, index) => found[index] === undefined),
    };
  },
});
