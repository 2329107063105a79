import type { OfferDocument } from "../../src/engine/index-documents.ts";

/** An offer with only this id and these members. */
export function offerOf(offerId: string, members: Partial<OfferDocument> = {}): OfferDocument {
  return {
    offerId,
    title: undefined,
    description: undefined,
    offerType: undefined,
    developer: undefined,
    publisher: undefined,
    sellerId: undefined,
    sellerName: undefined,
    sellerLabel: undefined,
    tagIds: [],
    tagNames: [],
    tagLabels: [],
    technologies: [],
    categories: [],
    customAttributes: [],
    refundType: undefined,
    isCodeRedemptionOnly: false,
    isBlockchainUsed: false,
    releaseDateMs: undefined,
    outSinceMs: 0,
    lastModifiedDateMs: undefined,
    effectiveDateMs: undefined,
    creationDateMs: undefined,
    viewableDateMs: undefined,
    pcReleaseDateMs: undefined,
    hasGiveaway: false,
    firstGiveawayStartMs: undefined,
    latestGiveawayEndMs: undefined,
    ratingMillionths: undefined,
    ratingRankMillionths: undefined,
    ...members,
  };
}
