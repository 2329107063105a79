import type {
  Offer as OfferRecord,
  OfferMapping,
  OfferTag,
  Seller,
} from "@storefront/contracts/catalog/v1/offer";
import { z } from "zod";
import { defaultLocale } from "../schemas/locale.ts";
import { instantOf } from "./instant.ts";
import {
  customAttributesOf,
  keyImagesOf,
  zCustomAttributes,
  zFlag,
  zInstant,
  zKeyImages,
  zList,
  zObject,
  zString,
  zStrings,
  zText,
} from "./members.ts";
import { zPricePoint } from "./price.ts";
import type { Mapped } from "./mapped-fields.ts";

const zSeller = zObject("Seller", "Who sells an offer.", {
  id: zText("Id of the seller.", "o-7f3k2m9q4w"),
  name: zText("Name of the seller.", "Harbour Light Publishing"),
});

export const zOfferTag = zObject("OfferTag", "A genre, feature or other tag of an offer.", {
  id: zString("Id of the tag; searches filter by it.", "1216"),
  name: zText("Name of the tag.", "Strategy"),
});

const zOfferMapping = zObject("OfferMapping", "A page of the storefront that shows the offer.", {
  pageSlug: zText("Slug of the page.", "moonlit-harbour"),
  pageType: zText("Kind of page.", "productHome"),
});

const zOfferItem = zObject("OfferItem", "An item that the offer grants.", {
  id: zString("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
  namespace: zText("Sandbox of the item.", "calluna"),
});

const zLocalization = zObject("Localization", "Where the localized texts came from.", {
  source: zText("Who provided the texts.", "storefront"),
  fetchedAt: zInstant("When the texts were fetched."),
  sourceUpdatedAt: zInstant(
    "When the source changed them; absent when it does not tell.",
  ).optional(),
});

/** A store listing. */
export const zOffer = zObject("Offer", "A store listing. A null member is unknown.", {
  id: zString("Id of the offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
  namespace: zText("Sandbox of the offer.", "calluna"),
  title: zText("Name of the offer.", "Moonlit Harbour"),
  description: zText("A sentence or two.", "A calm game about running a harbour."),
  longDescription: zText(
    "Text of the product page, which may hold markup.",
    "Build piers, hire crews, wait for the tide.",
  ),
  offerType: zText(
    "`BASE_GAME`, `DLC`, `ADD_ON`, `EDITION`, `BUNDLE`, `CONSUMABLE` or another.",
    "BASE_GAME",
  ),
  developerDisplayName: zText("Name of the developer.", "Moonlit Works"),
  publisherDisplayName: zText("Name of the publisher.", "Harbour Light Publishing"),
  seller: zSeller.nullable().meta({ description: "Who sells the offer; null when unknown." }),
  tags: zList(zOfferTag, "Genres, features and other tags."),
  offerMappings: zList(zOfferMapping, "Pages of the storefront that show the offer."),
  productSlug: zText("Slug of the product page.", "moonlit-harbour"),
  urlSlug: zText("Slug that old addresses use.", "calluna-general-audience"),
  url: zText(
    "Address of the product page, as the source gives it.",
    "https://store.example.com/p/moonlit-harbour",
  ),
  keyImages: zKeyImages,
  releaseDate: zInstant("When it is released on any platform."),
  lastModifiedDate: zInstant("When the offer was last changed."),
  status: zText("State of the record at its source.", "ACTIVE"),
  effectiveDate: zInstant("From when the offer counts."),
  creationDate: zInstant("When the offer was made."),
  pcReleaseDate: zInstant("When it is released on desktop."),
  viewableDate: zInstant("From when the storefront shows it."),
  isCodeRedemptionOnly: zFlag("A code is the only way to get it."),
  prePurchase: zFlag("It can be bought before its release."),
  items: zList(zOfferItem, "What a buyer gets."),
  customAttributes: zCustomAttributes,
  categories: zStrings("Paths of its categories.", ["games"]),
  countriesBlacklist: zStrings("Countries where it is not sold, as ISO 3166-1 alpha-2 codes.", [
    "CN",
  ]),
  countriesWhitelist: zStrings(
    "The only countries where it is sold; empty when there is no such list.",
    ["US", "CA"],
  ),
  refundType: zText("Whether it can be given back.", "SELF_REFUNDABLE"),
  collectionOfferIds: zStrings("Offers that it bundles.", ["5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"]),
  locale: zString("The locale asked for.", "en-US"),
  localeStatus: z.enum(["canonical", "localized", "fallback"]).meta({
    description:
      "`canonical`: the canonical locale was asked for; `localized`: the texts of the locale are laid over; `fallback`: there are none, the texts are canonical.",
  }),
  canonicalLocale: z.string().optional().meta({
    description: "Locale of the canonical texts; absent when it is the one asked for.",
    example: "en-US",
  }),
  localization: zLocalization.optional(),
});

export type Offer = z.output<typeof zOffer>;

export const zOfferPrice = zPricePoint
  .nullable()
  .meta({ description: "The price in the request's region; null when there is none." });

/** A store listing with its price. */
export const zPricedOffer = zOffer
  .extend({ price: zOfferPrice })
  .meta({ id: "PricedOffer", description: "A store listing with its price in one region." });

export type PricedOffer = z.output<typeof zPricedOffer>;

/** A stored offer with its canonical texts, in the canonical locale. */
export function offerOf(record: OfferRecord): Mapped<Offer, OfferRecord> {
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
    keyImages: keyImagesOf(record.keyImages),
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
    customAttributes: customAttributesOf(record.customAttributes),
    categories: record.categories,
    countriesBlacklist: record.countriesBlacklist,
    countriesWhitelist: record.countriesWhitelist,
    refundType: record.refundType ?? null,
    collectionOfferIds: record.collectionOfferIds,
    locale: defaultLocale,
    localeStatus: "canonical",
  };
}

export function sellerOf(seller: Seller | undefined): Offer["seller"] {
  return seller === undefined ? null : { id: seller.id ?? null, name: seller.name ?? null };
}

export function offerTagOf({ id, name }: OfferTag): Offer["tags"][number] {
  return { id, name: name ?? null };
}

export function offerMappingOf(mapping: OfferMapping): Offer["offerMappings"][number] {
  return { pageSlug: mapping.pageSlug ?? null, pageType: mapping.pageType ?? null };
}
