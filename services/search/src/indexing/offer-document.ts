import { fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { NamedId, OfferDocument } from "../engine/index-documents.ts";
import type { OfferRow } from "../store/source-offer-store.ts";

/** What the index holds of a stored offer. */
export function offerDocument(row: OfferRow): OfferDocument {
  const offer = fromBinary(OfferSchema, row.record);
  return {
    offerId: offer.id,
    title: offer.title,
    description: offer.description,
    offerType: offer.offerType,
    developer: offer.developerDisplayName,
    publisher: offer.publisherDisplayName,
    sellerId: offer.seller?.id,
    sellerName: offer.seller?.name,
    tags: tagsOf(offer),
    technologies: row.technologies,
    categories: [...new Set(offer.categories)],
    customAttributes: [...new Set(offer.customAttributes.map(({ key }) => key))],
    refundType: offer.refundType,
    isCodeRedemptionOnly: offer.isCodeRedemptionOnly ?? false,
    isBlockchainUsed: isBlockchainUsed(offer),
    releaseDateMs: ms(offer.releaseDate),
    lastModifiedDateMs: ms(offer.lastModifiedDate),
    effectiveDateMs: ms(offer.effectiveDate),
    creationDateMs: ms(offer.creationDate),
    viewableDateMs: ms(offer.viewableDate),
    pcReleaseDateMs: ms(offer.pcReleaseDate),
    hasGiveaway: row.giveaways > 0,
    firstGiveawayStartMs: row.first_start ?? undefined,
    latestGiveawayEndMs: row.latest_end ?? undefined,
  };
}

/** Of two tags with one id the last counts, as everywhere. */
function tagsOf({ tags }: Offer): NamedId[] {
  return [...new Map(tags.map(({ id, name }) => [id, { id, name }])).values()];
}

function isBlockchainUsed({ customAttributes }: Offer): boolean {
  const attribute = customAttributes.findLast(({ key }) => key === "isBlockchainUsed");
  return attribute?.value?.trim().toLowerCase() === "true";
}

/** Milliseconds since 1970; undefined for an unknown time. */
export function ms(timestamp: Timestamp | undefined): number | undefined {
  return timestamp && timestampMs(timestamp);
}
