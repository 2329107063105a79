import type { OfferId } from "@storefront/domain/identifiers";
import { z } from "zod";
import { bestEffort } from "../../compose/best-effort.ts";
import { findShownPrices } from "../../compose/find-price.ts";
import { findReviewSummaries } from "../../compose/find-review-summaries.ts";
import { knownOffer } from "../../compose/known-offer.ts";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { resolveCountry } from "../../compose/resolve-country.ts";
import { zCountry, zLocale, zLows, zOfferId } from "../../schemas/parameters.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import { operation } from "../operation.ts";
import { offerOverviewOf, zOfferOverview } from "./offer-overview.ts";
import type { OverviewParts } from "./offer-overview.ts";

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

/** What stands beside the offer and its price, all at once. */
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
