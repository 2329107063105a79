import type { OfferText } from "@storefront/contracts/catalog/v1/offer_text";
import { defaultLocale } from "../schemas/locale.ts";
import type { Offer } from "../schemas/offer.ts";
import { instantOf } from "../shape/instant.ts";
import { offerMappingOf, offerOf, offerTagOf, sellerOf } from "../shape/offer.ts";
import type { FoundOffer } from "../upstream/clients.ts";

/** Members of an offer that a text can overlay, as `OfferText.null_members` names them. */
const nulls: Pick<
  Offer,
  | "title"
  | "description"
  | "longDescription"
  | "developerDisplayName"
  | "publisherDisplayName"
  | "seller"
  | "tags"
  | "offerMappings"
  | "productSlug"
  | "urlSlug"
  | "url"
> = {
  title: null,
  description: null,
  longDescription: null,
  developerDisplayName: null,
  publisherDisplayName: null,
  seller: null,
  tags: [],
  offerMappings: [],
  productSlug: null,
  urlSlug: null,
  url: null,
};

/**
 * An offer in the locale asked for: the text of exactly that locale laid over the canonical
 * members, else the canonical members themselves.
 *
 * @param locale canonical BCP-47 tag
 */
export function localiseOffer({ offer: record, text }: FoundOffer, locale: string): Offer {
  const offer = offerOf(record);
  if (locale === defaultLocale) return offer;
  offer.locale = locale;
  offer.canonicalLocale = defaultLocale;
  if (text === undefined) {
    offer.localeStatus = "fallback";
    return offer;
  }
  offer.localeStatus = "localized";
  offer.localization = {
    source: text.source ?? null,
    fetchedAt: instantOf(text.fetchedAt),
    ...(text.sourceUpdatedAt === undefined
      ? {}
      : { sourceUpdatedAt: instantOf(text.sourceUpdatedAt) }),
  };
  overlay(offer, text);
  return offer;
}

/** The locale to ask the catalog for: none for the canonical one, whose texts the offers hold. */
export function requestLocale(locale: string): string {
  return locale === defaultLocale ? "" : locale;
}

function overlay(offer: Offer, text: OfferText): void {
  if (text.title !== undefined) offer.title = text.title;
  if (text.description !== undefined) offer.description = text.description;
  if (text.longDescription !== undefined) offer.longDescription = text.longDescription;
  if (text.developerDisplayName !== undefined) {
    offer.developerDisplayName = text.developerDisplayName;
  }
  if (text.publisherDisplayName !== undefined) {
    offer.publisherDisplayName = text.publisherDisplayName;
  }
  if (text.seller !== undefined) offer.seller = sellerOf(text.seller);
  if (text.tags.length > 0) offer.tags = text.tags.map(offerTagOf);
  if (text.offerMappings.length > 0) offer.offerMappings = text.offerMappings.map(offerMappingOf);
  if (text.productSlug !== undefined) offer.productSlug = text.productSlug;
  if (text.urlSlug !== undefined) offer.urlSlug = text.urlSlug;
  if (text.url !== undefined) offer.url = text.url;
  for (const member of text.nullMembers) {
    if (isOverlaid(member)) Object.assign(offer, { [member]: nulls[member] });
  }
}

function isOverlaid(member: string): member is keyof typeof nulls {
  return Object.hasOwn(nulls, member);
}
