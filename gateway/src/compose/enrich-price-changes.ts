import type { PriceChange as PriceChangeRecord } from "@storefront/contracts/pricing/v1/price_change";
import { asOfferId } from "@storefront/domain/identifiers";
import type { PriceChange } from "../records/price-change.ts";
import { priceChangeOf } from "../records/price-change.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { bestEffort } from "./best-effort.ts";
import { enrichmentBudgetMs } from "./enrich-entries.ts";

/** Changes of prices with their offers, by one lookup. If the catalog fails or is too slow, every offer is null. */
export async function withOffers(
  ctx: RequestContext,
  changes: readonly PriceChangeRecord[],
): Promise<PriceChange[]> {
  const ids = [...new Set(changes.map(({ offerId }) => asOfferId(offerId)))];
  const found =
    ids.length === 0
      ? undefined
      : await bestEffort(ctx, "catalog", enrichmentBudgetMs, (scope) =>
          ctx.clients.loadOffers(scope, "", ids),
        );
  const offers = new Map(ids.map((id, index) => [id, found?.[index]?.offer]));
  return changes.map((change) => priceChangeOf(change, offers.get(asOfferId(change.offerId))));
}
