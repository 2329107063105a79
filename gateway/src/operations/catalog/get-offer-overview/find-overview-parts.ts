import type { GetOfferOverviewResponse } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import { bestEffort } from "../../../compose/best-effort.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import type { RequestContext } from "../../../upstream/request-context.ts";

/** How long an overview waits for each part that it can do without. */
export const overviewBudgetMs = 1000;

/** What an overview shows beside the offer and its price; undefined when unavailable or too slow. */
export interface OverviewParts {
  about: GetOfferOverviewResponse | undefined;
  giveaways: Giveaway[] | undefined;
}

/** The parts of an offer's overview, all at once. */
export async function findOverviewParts(
  ctx: RequestContext,
  offerId: string,
): Promise<OverviewParts> {
  const { catalog, pricing } = ctx.clients;
  const [about, given] = await Promise.all([
    bestEffort(ctx, "catalog", overviewBudgetMs, (scope) =>
      callUpstream(scope, "catalog.GetOfferOverview", (options) =>
        catalog.getOfferOverview({ offerId }, options),
      ),
    ),
    bestEffort(ctx, "pricing", overviewBudgetMs, (scope) =>
      callUpstream(scope, "pricing.ListOfferGiveaways", (options) =>
        pricing.listOfferGiveaways({ offerId }, options),
      ),
    ),
  ]);
  return { about, giveaways: given?.giveaways };
}
