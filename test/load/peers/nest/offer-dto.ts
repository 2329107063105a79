import type { PricedOfferMessage, PriceMessage } from "./offer-messages.ts";

/** An offer with its price as clients read it; unset members are null. */
export function toOfferDto({ offer, price }: PricedOfferMessage) {
  return {
    id: offer.id,
    namespace: offer.namespace ?? null,
    title: offer.title ?? null,
    description: offer.description ?? null,
    longDescription: offer.longDescription ?? null,
    offerType: offer.offerType ?? null,
    developerDisplayName: offer.developerDisplayName ?? null,
    publisherDisplayName: offer.publisherDisplayName ?? null,
    seller:
      offer.seller === undefined
        ? null
        : { id: offer.seller.id ?? null, name: offer.seller.name ?? null },
    tags: offer.tags.map(({ id, name }) => ({ id, name: name ?? null })),
    offerMappings: offer.offerMappings.map(({ pageSlug, pageType }) => ({
      pageSlug: pageSlug ?? null,
      pageType: pageType ?? null,
    })),
    productSlug: offer.productSlug ?? null,
    urlSlug: offer.urlSlug ?? null,
    url: offer.url ?? null,
    keyImages: offer.keyImages.map(({ type, url, width, height, md5 }) => ({
      type: type ?? null,
      url: url ?? null,
      width: width ?? null,
      height: height ?? null,
      md5: md5 ?? null,
    })),
    releaseDate: offer.releaseDate ?? null,
    lastModifiedDate: offer.lastModifiedDate ?? null,
    status: offer.status ?? null,
    effectiveDate: offer.effectiveDate ?? null,
    creationDate: offer.creationDate ?? null,
    pcReleaseDate: offer.pcReleaseDate ?? null,
    viewableDate: offer.viewableDate ?? null,
    isCodeRedemptionOnly: offer.isCodeRedemptionOnly ?? null,
    prePurchase: offer.prePurchase ?? null,
    items: offer.items.map(({ id, namespace }) => ({ id, namespace: namespace ?? null })),
    customAttributes: offer.customAttributes.map(({ key, type, value }) => ({
      key,
      type: type ?? null,
      value: value ?? null,
    })),
    categories: offer.categories,
    countriesBlacklist: offer.countriesBlacklist,
    countriesWhitelist: offer.countriesWhitelist,
    refundType: offer.refundType ?? null,
    collectionOfferIds: offer.collectionOfferIds,
    locale: offer.locale,
    localeStatus: offer.localeStatus,
    price: price === undefined ? null : toPriceDto(price),
  };
}

function toPriceDto({ offerId, region, price, updatedAt, appliedRules }: PriceMessage) {
  return {
    offerId,
    region,
    price: {
      currencyCode: price?.currencyCode ?? "",
      currencyDecimals: price?.currencyDecimals ?? 0,
      originalPrice: price?.originalPrice ?? 0,
      discountPrice: price?.discountPrice ?? 0,
      discount: price?.discount ?? 0,
      percentOff: price?.percentOff ?? 0,
    },
    updatedAt: updatedAt ?? null,
    appliedRules: appliedRules.map((rule) => ({
      id: rule.id ?? null,
      name: rule.name ?? null,
      startDate: rule.startDate ?? null,
      endDate: rule.endDate ?? null,
      discountPercentage: rule.discountPercentage ?? null,
      percentOff: rule.percentOff ?? 0,
    })),
  };
}
