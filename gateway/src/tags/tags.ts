import type { Locale, OfferId, Region } from "@storefront/domain/identifiers";

/**
 * Names of what responses depend on and writes touch. A read and a write must name a thing alike; two things of one name
 * only make responses invalid that need not be.
 */

/** Everything of a feed: every response that reads from its owner has it. */
export const anythingTag = "*";

export const sandboxTag = (sandboxId: string) => `sandbox:${sandboxId}`;

/** Any sandbox. */
export const sandboxesTag = "sandboxes";

export const tagRecordTag = (tagId: string) => `tag:${tagId}`;
/** Any tag record. */
export const tagRecordsTag = "tags";

export const itemTag = (itemId: string) => `item:${itemId}`;
/** Any item. */
export const itemsTag = "items";

/** Which executable items a namespace has, and their members. */
export const executablesInTag = (namespace: string) => `executables@${namespace}`;

/** An asset by its artifact id or its own id. */
export const assetTag = (id: string) => `asset:${id}`;
/** Which assets a namespace has, and their members. */
export const assetsInTag = (namespace: string) => `assets@${namespace}`;

export const buildTag = (buildId: string) => `build:${buildId}`;
/** Which builds an application has, and their members. */
export const buildsOfTag = (appName: string) => `builds:${appName}`;
/** Any build. */
export const buildsTag = "builds";

export const offerTag = (offerId: string) => `offer:${offerId}`;
/** Any offer. */
export const offersTag = "offers";
/** Which offers there are, and of which type they are. */
export const offerTypesTag = "offerTypes";
/** Which offers a namespace has, and their members. */
export const offersInTag = (namespace: string) => `offers@${namespace}`;
/** Which offers hold an item, and their members. */
export const offersOfItemTag = (itemId: string) => `itemOffers:${itemId}`;
export const offerTextTag = (offerId: OfferId, locale: Locale) => `text:${offerId}:${locale}`;
export const offerDetailsTag = (offerId: string) => `details:${offerId}`;
/** The age ratings of a namespace. */
export const ageRatingsInTag = (namespace: string) => `ageRatings@${namespace}`;
/** Any age rating. */
export const ageRatingsTag = "ageRatings";
/** Any position in a collection. */
export const rankingsTag = "rankings";

/** The price of an offer in a region, and those before it. */
export const priceTag = (offerId: OfferId, region: Region) => `price:${offerId}:${region}`;
/** In which regions an offer has prices, and these. */
export const pricesOfTag = (offerId: string) => `prices:${offerId}`;
/** Any price in a region. */
export const pricesInTag = (region: string) => `prices@${region}`;
/** Any price. */
export const pricesTag = "prices";

export const giveawayTag = (giveawayId: string) => `giveaway:${giveawayId}`;
/** Which giveaways an offer has, and their members. */
export const giveawaysOfTag = (offerId: string) => `giveaways:${offerId}`;
/** Any giveaway. */
export const giveawaysTag = "giveaways";

export const reviewTag = (reviewId: string) => `review:${reviewId}`;
/** Which reviews an offer has, and their members. */
export const reviewsOfTag = (offerId: string) => `reviews:${offerId}`;
/** The offer of some review is not known any more. */
export const reviewsTag = "reviews";

export const entryTag = (entryId: string) => `entry:${entryId}`;
/** Which entries have this context; empty means any. */
export const entriesTag = (contextType: string, contextId: string) =>
  `entries:${contextType}:${contextId}`;
/** Which entries there are of a sandbox and of what is in it. */
export const entriesInTag = (sandboxId: string) => `entries@${sandboxId}`;
/** Which entries there are of an item and of what belongs to it. */
export const entriesOfItemTag = (itemId: string) => `itemEntries:${itemId}`;
/** What belongs to which sandbox and item. */
export const entryScopesTag = "entryScopes";
