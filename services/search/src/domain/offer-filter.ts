import type { OfferFilter } from "../engine/offer-search.ts";
import type { SearchQuery } from "./canonical-query.ts";
import { offerOrder } from "./offer-order.ts";

/** A filter that every offer passes. */
export const everything: OfferFilter = {
  text: undefined,
  offerTypes: [],
  tagIds: [],
  technologies: [],
  categories: [],
  customAttributes: [],
  sellerId: undefined,
  developer: undefined,
  publisher: undefined,
  refundType: undefined,
  isCodeRedemptionOnly: undefined,
  price: undefined,
  onSale: undefined,
  isLowestPrice: false,
  excludeBlockchain: false,
  pastGiveaways: false,
  only: undefined,
};

/** The conditions of a canonical query, as engines take them. */
export function offerFilter(query: SearchQuery): OfferFilter {
  return {
    text: query.title === "" ? undefined : query.title,
    offerTypes: query.offerTypes,
    tagIds: query.tagIds,
    technologies: query.technologies,
    categories: query.categories,
    customAttributes: query.customAttributes,
    sellerId: query.sellerId,
    developer: query.developerDisplayName,
    publisher: query.publisherDisplayName,
    refundType: query.refundType,
    isCodeRedemptionOnly: query.isCodeRedemptionOnly,
    price: query.price && { min: query.price.min, max: query.price.max },
    onSale: query.onSale,
    isLowestPrice: query.isLowestPrice,
    excludeBlockchain: query.excludeBlockchain,
    pastGiveaways: query.pastGiveaways,
    only: offerOrder(query).only,
  };
}
