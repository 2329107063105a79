import type { OfferStore } from "../store/offer-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function resolveSlugs(deps: { offers: OfferStore }): CatalogHandlers["resolveSlugs"] {
  return async ({ slugs }) => {
    const found = await deps.offers.bySlugs(slugs);
    return {
      mappings: slugs.map((slug) => {
        const offer = found.get(slug);
        return { slug, offerId: offer?.id, namespace: offer?.namespace ?? undefined };
      }),
    };
  };
}
