import type {
  Offer as OfferRecord,
  OfferMapping,
  OfferTag,
  Seller,
} from "@storefront/contracts/catalog/v1/offer";
import { defaultLocale } from "../schemas/locale.ts";
import type { Offer } from "../schemas/offer.ts";
import { instantOf } from "./instant.ts";
import { keyImageOf } from "./key-image.ts";
import type { Shows } from "./shows.ts";

/** A stored offer as REST shows it, with its canonical texts in the canonical locale. */
export function offerOf(record: OfferRecord): Shows<Offer, OfferRecord> {
  return {
    id: record.id,
    namespace: record.namespace ?? null,
    title: record.title ?? null,
    description: record.description ?? null,
    longDescription: record.longDescription ?? null,
    offerType: record.offerType ?? null,
    developerDisplayName: record.developerDisplayName ?? null,
    publisherDisplayName: record.publisherDisplayName ?? null,
    seller: sellerOf(record.seller),
    tags: record.tags.map(offerTagOf),
    offerMappings: record.offerMappings.map(offerMappingOf),
    productSlug: record.productSlug ?? null,
    urlSlug: record.urlSlug ?? null,
    url: record.url ?? null,
    keyImages: record.keyImages.map(keyImageOf),
    releaseDate: instantOf(record.releaseDate),
    lastModifiedDate: instantOf(record.lastModifiedDate),
    status: record.status ?? null,
    effectiveDate: instantOf(record.effectiveDate),
    creationDate: instantOf(record.creationDate),
    pcReleaseDate: instantOf(record.pcReleaseDate),
    viewableDate: instantOf(record.viewableDate),
    isCodeRedemptionOnly: record.isCodeRedemptionOnly ?? null,
    prePurchase: record.prePurchase ?? null,
    items: record.items.map(({ id, namespace }) => ({ id, namespace: namespace ?? null })),
    customAttributes: record.customAttributes.map(({ key, type, value }) => ({
      key,
      type: type ?? null,
      value: value ?? null,
    })),
    categories: record.categories,
    countriesBlacklist: record.countriesBlacklist,
    countriesWhitelist: record.countriesWhitelist,
    refundType: record.refundType ?? null,
    collectionOfferIds: record.collectionOfferIds,
    locale: defaultLocale,
    localeStatus: "canonical",
  };
}

/** Who sells an offer; null when nothing is known. */
export function sellerOf(seller: Seller | undefined): Offer["seller"] {
  return seller === undefined ? null : { id: seller.id ?? null, name: seller.name ?? null };
}

/** A tag as an offer names it. */
export function offerTagOf({ id, name }: OfferTag): Offer["tags"][number] {
  return { id, name: name ?? null };
}

/** A page that shows an offer. */
export function offerMappingOf(mapping: OfferMapping): Offer["offerMappings"][number] {
  return { pageSlug: mapping.pageSlug ?? null, pageType: mapping.pageType ?? null };
}
