import { z } from "zod";
import { hydrateOffers } from "../../compose/hydrate-offers.ts";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { zFields, pickMembers } from "../../schemas/fields.ts";
import { zPricedOffer } from "../../records/offer.ts";
import { zCountry, zLocale, zLows, zOfferId } from "../../schemas/parameters.ts";
import { operation } from "../operation.ts";

const idsRule = "must be an array of at most 1000 offer ids";

const zBatchGetOffersOutput = z
  .object({
    offers: z
      .array(
        zPricedOffer.partial().required({ id: true }).meta({
          id: "BatchOffer",
          description:
            "A store listing with its price in one region. Without `fields` it has every member, `price` unless `prices` is false.",
        }),
      )
      .meta({ description: "The known offers in the order of the ids." }),
    unknown: z.array(z.string()).meta({
      description: "Ids that no offer has, in their order.",
      example: ["00000000000000000000000000000000"],
    }),
  })
  .meta({ id: "OfferBatch", description: "The offers of the submitted ids, each id once." });

export const batchGetOffers = operation({
  method: "POST",
  path: "/offers/batch",
  operationId: "batchGetOffers",
  tag: "offers",
  summary: "Get many offers",
  description:
    "Up to 1,000 offers, each as `getOffer` shows it. An id that is submitted again is answered once, at its first place.",
  query: ["country", "locale"],
  // An offer of a batch takes less than a tenth of the time of one that is asked for by itself.
  cost: ({ ids }) => Math.max(1, Math.ceil(ids.length / 10)),
  input: z.object({
    ids: z
      .array(zOfferId, idsRule)
      .max(1000, idsRule)
      .meta({
        description: "Ids of the offers.",
        example: ["5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b", "00000000000000000000000000000000"],
      }),
    prices: z.boolean("must be true or false").default(true).meta({
      description: "Whether offers come with their prices.",
      example: true,
    }),
    lows: zLows,
    fields: zFields(zPricedOffer, "id", ["title", "price"]),
    country: zCountry,
    locale: zLocale,
  }),
  failures: [404],
  output: zBatchGetOffersOutput,
  bodyExample: { ids: ["5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b", "00000000000000000000000000000000"] },
  resolve: async ({ ctx, input: { ids, prices, lows, fields, country, locale } }) => {
    const { region } = resolveCountry(ctx, country);
    const offerIds = [...new Set(ids)];
    const names = fields && new Set<string>(fields);
    const isPriced = prices && names?.has("price") !== false;
    const found = isPriced
      ? await hydrateOffers(ctx, offerIds, locale, region, lows)
      : (await ctx.clients.loadOffers(ctx, requestLocale(locale), offerIds)).map(
          (each) => each && localiseOffer(each, locale),
        );
    return {
      offers: found
        .filter((offer) => offer !== undefined)
        .map((offer) =>
          names === undefined ? offer : { ...pickMembers(offer, names), id: offer.id },
        ),
      unknown: offerIds.filter((_id, place) => found[place] === undefined),
    };
  },
});
