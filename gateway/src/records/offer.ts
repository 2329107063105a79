import type {
  Offer as OfferRecord,
  OfferMapping,
  OfferTag,
  Seller,
} from "@storefront/contracts/catalog/v1/offer";
import { z } from "zod";
import { defaultLocale } from "../schemas/locale.ts";
import { zPricePoint } from "./price.ts";
import { instantOf } from "./instant.ts";
import {
  customAttributesOf,
  keyImagesOf,
  zCustomAttributes,
  zFlag,
  zInstant,
  zKeyImages,
  zText,
} from "./members.ts";
import type { Shows } from "./shows.ts";

const zSeller = z
  .object({
    id: zText.meta({ description: "Id of the seller.", example: "o-7f3k2m9q4w" }),
    name: zText.meta({ description: "Name of the seller.", example: "Harbour Light Publishing" }),
  })
  .meta({ id: "Seller", description: "Who sells an offer." });

export const zOfferTag = z
  .object({
    id: z.string().meta({ description: "Id of the tag; searches filter by it.", example: "1216" }),
    name: zText.meta({ description: "Name of the tag.", example: "Strategy" }),
  })
  .meta({ id: "OfferTag", description: "A genre, feature or other tag of an offer." });

const zOfferMapping = z
  .object({
    pageSlug: zText.meta({ description: "Slug of the page.", example: "moonlit-harbour" }),
    pageType: zText.meta({ description: "Kind of page.", example: "productHome" }),
  })
  .meta({ id: "OfferMapping", description: "A page of the storefront that shows the offer." });

const zOfferItem = z
  .object({
    id: z
      .string()
      .meta({ description: "Id of the item.", example: "7a1e4c9d2b8f4063a5d7c0e1f2b39486" }),
    namespace: zText.meta({ description: "Sandbox of the item.", example: "calluna" }),
  })
  .meta({ id: "OfferItem", description: "An item that the offer grants." });

const zLocalization = z
  .object({
    source: zText.meta({ description: "Who provided the texts.", example: "storefront" }),
    fetchedAt: zInstant.meta({ description: "When the texts were fetched." }),
    sourceUpdatedAt: zInstant
      .meta({ description: "When the source changed them; absent when it does not tell." })
      .optional(),
  })
  .meta({ id: "Localization", description: "Where the localized texts came from." });

/** A store listing. */
export const zOffer = z
  .object({
    id: z
      .string()
      .meta({ description: "Id of the offer.", example: "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b" }),
    namespace: zText.meta({ description: "Sandbox of the offer.", example: "calluna" }),
    title: zText.meta({ description: "Name of the offer.", example: "Moonlit Harbour" }),
    description: zText.meta({
      description: "A sentence or two.",
      example: "A calm game about running a harbour.",
    }),
    longDescription: zText.meta({
      description: "Text of the product page, which may hold markup.",
      example: "Build piers, hire crews, wait for the tide.",
    }),
    offerType: zText.meta({
      description: "`BASE_GAME`, `DLC`, `ADD_ON`, `EDITION`, `BUNDLE`, `CONSUMABLE` or another.",
      example: "BASE_GAME",
    }),
    developerDisplayName: zText.meta({
      description: "Name of the developer.",
      example: "Moonlit Works",
    }),
    publisherDisplayName: zText.meta({
      description: "Name of the publisher.",
      example: "Harbour Light Publishing",
    }),
    seller: zSeller.nullable().meta({ description: "Who sells the offer; null when unknown." }),
    tags: z.array(zOfferTag).meta({ description: "Genres, features and other tags." }),
    offerMappings: z
      .array(zOfferMapping)
      .meta({ description: "Pages of the storefront that show the offer." }),
    productSlug: zText.meta({
      description: "Slug of the product page.",
      example: "moonlit-harbour",
    }),
    urlSlug: zText.meta({
      description: "Slug that old addresses use.",
      example: "calluna-general-audience",
    }),
    url: zText.meta({
      description: "Address of the product page, as the source gives it.",
      example: "https://store.example.com/p/moonlit-harbour",
    }),
    keyImages: zKeyImages,
    releaseDate: zInstant.meta({ description: "When it is released on any platform." }),
    lastModifiedDate: zInstant.meta({ description: "When the offer was last changed." }),
    status: zText.meta({ description: "State of the record at its source.", example: "ACTIVE" }),
    effectiveDate: zInstant.meta({ description: "From when the offer counts." }),
    creationDate: zInstant.meta({ description: "When the offer was made." }),
    pcReleaseDate: zInstant.meta({ description: "When it is released on desktop." }),
    viewableDate: zInstant.meta({ description: "From when the storefront shows it." }),
    isCodeRedemptionOnly: zFlag.meta({ description: "A code is the only way to get it." }),
    prePurchase: zFlag.meta({ description: "It can be bought before its release." }),
    items: z.array(zOfferItem).meta({ description: "What a buyer gets." }),
    customAttributes: zCustomAttributes,
    categories: z
      .array(z.string())
      .meta({ description: "Paths of its categories.", example: ["games"] }),
    countriesBlacklist: z.array(z.string()).meta({
      description: "Countries where it is not sold, as ISO 3166-1 alpha-2 codes.",
      example: ["CN"],
    }),
    countriesWhitelist: z.array(z.string()).meta({
      description: "The only countries where it is sold; empty when there is no such list.",
      example: ["US", "CA"],
    }),
    refundType: zText.meta({
      description: "Whether it can be given back.",
      example: "SELF_REFUNDABLE",
    }),
    collectionOfferIds: z.array(z.string()).meta({
      description: "Offers that it bundles.",
      example: ["5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"],
    }),
    locale: z.string().meta({ description: "The locale asked for.", example: "en-US" }),
    localeStatus: z.enum(["canonical", "localized", "fallback"]).meta({
      description:
        "`canonical`: the canonical locale was asked for; `localized`: the texts of the locale are laid over; `fallback`: there are none, the texts are canonical.",
    }),
    canonicalLocale: z.string().optional().meta({
      description: "Locale of the canonical texts; absent when it is the one asked for.",
      example: "en-US",
    }),
    localization: zLocalization.optional(),
  })
  .meta({ id: "Offer", description: "A store listing. A null member is unknown." });

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
