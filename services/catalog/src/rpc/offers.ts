import {
  BatchGetOffersResponseSchema,
  GetOfferResponseSchema,
  ListOffersRequestSchema,
  ListOffersResponseSchema,
  ListRankedOffersRequestSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { asLocale, asOfferId } from "@storefront/domain/identifiers";
import { encodedOf, pageOf } from "@storefront/rpc";
import type { OfferStore } from "../store/offer-store.ts";
import { recordsOf, textsOf } from "../store/rows.ts";
import { idRangeOf, offerNotFound } from "./handlers.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function offerHandlers(deps: { offers: OfferStore }) {
  return {
    async getOffer({ offerId, locale }) {
      const row = await deps.offers.get(asOfferId(offerId), asLocale(locale));
      if (row === undefined) throw offerNotFound(offerId);
      return encodedOf(GetOfferResponseSchema, { offer: row.record, text: row.text });
    },

    async batchGetOffers({ offerIds, locale }) {
      const rows = await deps.offers.list(offerIds.map(asOfferId), asLocale(locale));
      return encodedOf(BatchGetOffersResponseSchema, {
        offers: recordsOf(rows),
        texts: textsOf(rows),
      });
    },

    async listOffers(request) {
      const { rows, hasMore } = await deps.offers.listAll(
        idRangeOf(ListOffersRequestSchema, request),
        request.offerTypes,
        asLocale(request.locale),
      );
      return encodedOf(ListOffersResponseSchema, {
        offers: recordsOf(rows),
        texts: textsOf(rows),
        hasMore: Number(hasMore),
      });
    },

    async listRankedOffers(request) {
      const { pageSize } = pageOf(ListRankedOffersRequestSchema, request);

      const rows = await deps.offers.bestRanked(request.offerTypes, pageSize);
      return {
        rankedOffers: rows.map(({ offer_id, position }) => ({ offerId: offer_id, position })),
      };
    },

    async countOffersBySeller({ offerIds }) {
      const rows = await deps.offers.countBySeller(offerIds);
      return {
        sellerCounts: rows.map((row) => ({
          seller: { id: row.seller_id ?? undefined, name: row.seller_name ?? undefined },
          offerCount: row.offer_count,
        })),
      };
    },

    async resolveSlugs({ slugs }) {
      const found = await deps.offers.bySlugs(slugs);
      return {
        mappings: slugs.map((slug) => {
          const offer = found.get(slug);
          return { slug, offerId: offer?.id, namespace: offer?.namespace ?? undefined };
        }),
      };
    },

    async checkOffersExist({ offerIds }) {
      return { existingOfferIds: await deps.offers.existing(offerIds) };
    },
  } satisfies CatalogHandlers;
}
