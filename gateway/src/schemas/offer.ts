import { z } from "zod";
import { zKeyImage } from "./key-image.ts";
import { zFlag, zInstant, zText } from "./members.ts";
import { zPricePoint } from "./price-point.ts";

/** Who sells an offer. */
export const zSeller = z
  .object({ id: zText, name: zText })
  .meta({ id: "Seller", description: "Who sells an offer." });

const zOfferTag = z.object({ id: z.string(), name: zText }).meta({ id: "OfferTag" });
const zOfferMapping = z
  .object({ pageSlug: zText, pageType: zText })
  .meta({ id: "OfferMapping", description: "A page of the storefront that shows the offer." });
const zOfferItem = z
  .object({ id: z.string(), namespace: zText })
  .meta({ id: "OfferItem", description: "An item that the offer grants." });

/** A named value that a source keeps beside the known members. */
export const zCustomAttribute = z
  .object({ key: z.string(), type: zText, value: zText })
  .meta({ id: "CustomAttribute", description: "A named value from the source." });

const zLocalization = z
  .object({ source: zText, fetchedAt: zInstant, sourceUpdatedAt: zInstant.optional() })
  .meta({ id: "Localization", description: "Where the localized texts came from." });

/** The known values of `localeStatus`. */
export const localeStatuses = ["canonical", "localized", "fallback"] as const;

/** Members that tell which texts an offer shows. */
export const localeShape = {
  locale: z.string().meta({ description: "The locale asked for.", example: "en-US" }),
  localeStatus: z.enum(localeStatuses).meta({
    description:
      "`canonical`: the canonical locale was asked for; `localized`: the texts of the locale are laid over; `fallback`: there are none, the texts are canonical.",
  }),
  canonicalLocale: z.string().optional().meta({
    description: "Locale of the canonical texts; absent when it is the one asked for.",
  }),
  localization: zLocalization.optional(),
};

const offerShape = {
  id: z.string(),
  namespace: zText,
  title: zText,
  description: zText,
  longDescription: zText,
  offerType: zText.meta({ example: "BASE_GAME" }),
  developerDisplayName: zText,
  publisherDisplayName: zText,
  seller: zSeller.nullable(),
  tags: z.array(zOfferTag),
  offerMappings: z.array(zOfferMapping),
  productSlug: zText,
  urlSlug: zText,
  url: zText,
  keyImages: z.array(zKeyImage),
  releaseDate: zInstant,
  lastModifiedDate: zInstant,
  status: zText,
  effectiveDate: zInstant,
  creationDate: zInstant,
  pcReleaseDate: zInstant,
  viewableDate: zInstant,
  isCodeRedemptionOnly: zFlag,
  prePurchase: zFlag,
  items: z.array(zOfferItem),
  customAttributes: z.array(zCustomAttribute),
  categories: z.array(z.string()),
  countriesBlacklist: z.array(z.string()),
  countriesWhitelist: z.array(z.string()),
  refundType: zText,
  collectionOfferIds: z.array(z.string()),
  ...localeShape,
};

/** A store listing. */
export const zOffer = z
  .object(offerShape)
  .meta({ id: "Offer", description: "A store listing. A null member is unknown." });

export type Offer = z.output<typeof zOffer>;

const zOfferPrice = zPricePoint
  .nullable()
  .meta({ description: "The price in the request's region; null when there is none." });

/** A store listing with its price. */
export const zPricedOffer = z
  .object({ ...offerShape, price: zOfferPrice })
  .meta({ id: "PricedOffer", description: "A store listing with its price in one region." });

export type PricedOffer = z.output<typeof zPricedOffer>;

/** A discounted store listing and its place. */
export const zFeaturedOffer = z
  .object({
    ...offerShape,
    price: zOfferPrice,
    position: z.int().min(1).meta({ description: "Best place in any collection, from 1." }),
  })
  .meta({ id: "FeaturedOffer", description: "A ranked store listing that is discounted." });

export type FeaturedOffer = z.output<typeof zFeaturedOffer>;

/** Members of a mobile free game that come from its offer, which may be unknown. */
export const freeGameOfferShape = { ...offerShape, id: zText };
export { zOfferPrice };
