import type { OfferText } from "@storefront/contracts/catalog/v1/offer_text";
import type { Locale } from "@storefront/domain/identifiers";
import { defaultLocale } from "../schemas/locale.ts";
import type { Offer } from "../records/offer.ts";
import { instantOf } from "../records/instant.ts";
import { offerMappingOf, offerOf, offerTagOf, sellerOf } from "../records/offer.ts";
import type { FieldOf } from "../records/mapped-fields.ts";
import type { FoundOffer } from "../upstream/clients.ts";

/** Members of an offer that a text can overlay: all of it but its identity and where it came from. */
type Overlaid = Exclude<
  FieldOf<OfferText>,
  "offerId" | "locale" | "namespace" | "source" | "fetchedAt" | "sourceUpdatedAt" | "nullMembers"
>;

/** What `OfferText.null_members` clear the members to. */
const nulls: Pick<Offer, Overlaid> = {
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
 * An offer in the requested locale: the text of exactly that locale laid over the canonical
 * members, else the canonical members themselves.
 */
export function localiseOffer({ offer: record, text }: FoundOffer, locale: Locale): Offer {
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
export function requestLocale(locale: Locale): Locale | "" {
  return locale === defaultLocale ? "" : locale;
}

function overlay(offer: Offer, text: OfferText): void {
  const overlaid: Pick<Offer, Overlaid> = {
    title: text.title ?? offer.title,
    description: text.description ?? offer.description,
    longDescription: text.longDescription ?? offer.longDescription,
    developerDisplayName: text.developerDisplayName ?? offer.developerDisplayName,
    publisherDisplayName: text.publisherDisplayName ?? offer.publisherDisplayName,
    seller: text.seller === undefined ? offer.seller : sellerOf(text.seller),
    tags: text.tags.length === 0 ? offer.tags : text.tags.map(offerTagOf),
    offerMappings:
      text.offerMappings.length === 0
        ? offer.offerMappings
        : text.offerMappings.map(offerMappingOf),
    productSlug: text.productSlug ?? offer.productSlug,
    urlSlug: text.urlSlug ?? offer.urlSlug,
    url: text.url ?? offer.url,
  };
  Object.assign(offer, overlaid);
  for (const member of text.nullMembers) {
    if (isOverlaid(member)) Object.assign(offer, { [member]: nulls[member] });
  }
}

function isOverlaid(member: string): member is Overlaid {
  return Object.hasOwn(nulls, member);
}
