// Written by gateway/src/openapi/write-document.ts from the gateway's router; do not edit.

/** A sale that a discount comes from. */
export type AppliedRule = {
  /** Id of the sale. */
  id: string | null;
  /** Name of the sale. */
  name: string | null;
  /** When the sale begins. */
  startDate: string | null;
  /** When the sale ends. */
  endDate: string | null;
  /** The share still payable, in percent: 30 is 70 % off. */
  discountPercentage: number | null;
  /** The opposite of `discountPercentage` in whole percent, half up; 0 where the sale has none. */
  percentOff: number;
};

/** What `catalog.batchGetOffers` takes. */
export type BatchGetOffersInput = {
  /** Ids of the offers. */
  ids: string[];
  /** Whether offers come with their prices. Default: true. */
  prices?: boolean | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
  /** Whether offers come with the ratings of their reviews. Default: false. */
  reviewSummary?: boolean | undefined;
  /** Members to show, default all of them; `id` is always there. */
  fields?: ("id" | "namespace" | "title" | "description" | "longDescription" | "offerType" | "developerDisplayName" | "publisherDisplayName" | "seller" | "tags" | "offerMappings" | "productSlug" | "urlSlug" | "url" | "keyImages" | "releaseDate" | "lastModifiedDate" | "status" | "effectiveDate" | "creationDate" | "pcReleaseDate" | "viewableDate" | "isCodeRedemptionOnly" | "prePurchase" | "items" | "customAttributes" | "categories" | "countriesBlacklist" | "countriesWhitelist" | "refundType" | "collectionOfferIds" | "locale" | "localeStatus" | "canonicalLocale" | "localization" | "price")[] | undefined;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
};

/** A store listing with its price in one region. Without `fields` it has every member, `price` unless `prices` is false. With `reviewSummary` it has the ratings of its reviews, null when unavailable. */
export type BatchOffer = {
  /** Id of the offer. */
  id: string;
  /** Sandbox of the offer. */
  namespace?: string | null | undefined;
  /** Name of the offer. */
  title?: string | null | undefined;
  /** A sentence or two. */
  description?: string | null | undefined;
  /** Text of the product page, which may hold markup. */
  longDescription?: string | null | undefined;
  /** `BASE_GAME`, `DLC`, `ADD_ON`, `EDITION`, `BUNDLE`, `CONSUMABLE` or another. */
  offerType?: string | null | undefined;
  /** Name of the developer. */
  developerDisplayName?: string | null | undefined;
  /** Name of the publisher. */
  publisherDisplayName?: string | null | undefined;
  /** Who sells the offer; null when unknown. */
  seller?: Seller | null | undefined;
  /** Genres, features and other tags. */
  tags?: OfferTag[] | undefined;
  /** Pages of the storefront that show the offer. */
  offerMappings?: OfferMapping[] | undefined;
  /** Slug of the product page. */
  productSlug?: string | null | undefined;
  /** Slug that old addresses use. */
  urlSlug?: string | null | undefined;
  /** Address of the product page, as the source gives it. */
  url?: string | null | undefined;
  /** Pictures, in the order of the source. */
  keyImages?: KeyImage[] | undefined;
  /** When it is released on any platform. */
  releaseDate?: string | null | undefined;
  /** When the offer was last changed. */
  lastModifiedDate?: string | null | undefined;
  /** State of the record at its source. */
  status?: string | null | undefined;
  /** From when the offer counts. */
  effectiveDate?: string | null | undefined;
  /** When the offer was made. */
  creationDate?: string | null | undefined;
  /** When it is released on desktop. */
  pcReleaseDate?: string | null | undefined;
  /** From when the storefront shows it. */
  viewableDate?: string | null | undefined;
  /** A code is the only way to get it. */
  isCodeRedemptionOnly?: boolean | null | undefined;
  /** It can be bought before its release. */
  prePurchase?: boolean | null | undefined;
  /** What a buyer gets. */
  items?: OfferItem[] | undefined;
  /** Further values, in the order of the source. */
  customAttributes?: CustomAttribute[] | undefined;
  /** Paths of its categories. */
  categories?: string[] | undefined;
  /** Countries where it is not sold, as ISO 3166-1 alpha-2 codes. */
  countriesBlacklist?: string[] | undefined;
  /** The only countries where it is sold; empty when there is no such list. */
  countriesWhitelist?: string[] | undefined;
  /** Whether it can be given back. */
  refundType?: string | null | undefined;
  /** Offers that it bundles. */
  collectionOfferIds?: string[] | undefined;
  /** The locale asked for. */
  locale?: string | undefined;
  /** `canonical`: the canonical locale was asked for; `localized`: the texts of the locale are laid over; `fallback`: there are none, the texts are canonical. */
  localeStatus?: "canonical" | "localized" | "fallback" | undefined;
  /** Locale of the canonical texts; absent when it is the one asked for. */
  canonicalLocale?: string | undefined;
  localization?: Localization | undefined;
  /** The price in the request's region; null when there is none. */
  price?: PricePoint | null | undefined;
  /** Ratings of all reviews; null when unavailable. */
  reviewSummary?: ReviewSummary | null | undefined;
};

/** A value and how many of the found offers have it. */
export type Bucket = {
  /** The value. */
  key: string;
  /** Number of offers. */
  doc_count: number;
};

/** Most offers first, then by key; at most 250. */
export type Buckets = {
  /** The values. */
  buckets: Bucket[];
};

/** One published version of an item's application. */
export type Build = {
  /** Id of the build. */
  id: string;
  /** The same as `id`. */
  _id: string;
  /** Name of the application; items carry it in `releaseInfo[].appId`. */
  appName: string | null;
  /** Release channel and platform. */
  labelName: string | null;
  /** Platform of the build, else the part of `labelName` after its last hyphen. */
  platform: string | null;
  /** Version as the developer names it. */
  buildVersion: string | null;
  /** SHA-1 of the build's manifest. */
  hash: string | null;
  /** When the build was first seen, else when it was made. */
  firstSeenAt: string | null;
  /** When the build was last seen, else when it was changed. */
  lastSeenAt: string | null;
  /** When the build was made. */
  createdAt: string | null;
  /** When the build was last changed. */
  updatedAt: string | null;
  /** Bytes to download, else those of its asset. */
  downloadSizeBytes: number | null;
  /** Bytes on disk, else those of its asset. */
  installedSizeBytes: number | null;
  /** What the build is made with. */
  technologies: BuildTechnology[];
  manifest: BuildManifest;
  /** The files can be compared with other builds. */
  comparable: boolean;
  /** Same label as the newest build in the response. */
  sameStream: boolean;
  item: ItemSummary;
};

/** What a changelog entry shows of a build. */
export type BuildDocument = {
  /** Id of the build. */
  id: string;
  /** Name of the application. */
  appName: string | null;
  /** Version of the build. */
  buildVersion: string | null;
};

/** What is known of a build's files. */
export type BuildManifest = {
  /** `processing`, `verified`, `invalid`, `unavailable`, `failed` or `legacy_unverified`. */
  status: string;
  /** SHA-256 of the list of files in its canonical form. */
  canonicalHash: string | null;
  /** SHA-1 of the manifest as it was found, else the build's `hash`. */
  sourceHash: string | null;
  /** Version of the program that read the manifest. */
  parserVersion: string | null;
  /** When the manifest was read. */
  processedAt: string | null;
  /** Number of files. */
  fileCount: number | null;
  /** Size of all files together, in bytes. */
  fileBytes: number | null;
  /** Why the manifest could not be read; null when it was. */
  errorCode: string | null;
};

/** A technology found in a build. */
export type BuildTechnology = {
  /** Kind of technology. */
  section: string | null;
  /** Its name. */
  technology: string | null;
};

/** One difference between two states of a record. */
export type Change = {
  /** Whether the member came, changed or went. */
  changeType: "insert" | "update" | "delete";
  /** The same as `changeType`. */
  action: "insert" | "update" | "delete";
  /** JSON type of the value. */
  type: string | null;
  /** Member of the record; `*` is the whole record. */
  field: string;
  /** Value before; absent for an insert. */
  oldValue?: unknown;
  /** Value after; absent for a delete. */
  newValue?: unknown;
  /** Value before as another system wrote it, often JSON in a string; take `oldValue` instead. @deprecated */
  oldValueRaw?: unknown;
  /** Value after as another system wrote it; take `newValue` instead. @deprecated */
  newValueRaw?: unknown;
};

/** The record that changed, as it stands now. Offers and items have title and namespace, assets also artifactId; builds have appName and buildVersion. */
export type ChangeContext = {
  /** Id of the record. */
  id: string | null;
  /** Name of an asset's application. */
  artifactId?: string | undefined;
  /** Name of a build's application. */
  appName?: string | null | undefined;
  /** Version of a build. */
  buildVersion?: string | null | undefined;
  /** Title of the record. */
  title?: string | null | undefined;
  /** Sandbox of the record. */
  namespace?: string | null | undefined;
};

/** One observed change of one record. */
export type ChangelogEntry = {
  /** Id of the change; its place in the log. */
  _id: string;
  /** When the new state was seen. */
  timestamp: string | null;
  metadata: ChangelogMetadata;
  /** The offer; for an item, and for an asset its item, an offer with the members it has; for a build its id, appName and buildVersion. Null as `context` is; absent in the changelist. */
  document?: Offer | BuildDocument | null | undefined;
};

/** Which record changed, and how. */
export type ChangelogMetadata = {
  /** `offer`, `item`, `asset`, `build`, `sandbox`, or what another source calls it. */
  contextType: string;
  /** Id of the record; an asset's is its artifactId. */
  contextId: string;
  /** Null when the record is unknown, or its lookup failed or took too long. */
  context: ChangeContext | null;
  /** What differs, member by member. */
  changes: Change[];
};

/** What `catalog.checkOffersExist` takes. */
export type CheckOffersExistInput = {
  /** Ids to check. */
  offers: string[];
};

/** What `search.countFacets` takes. */
export type CountFacetsInput = {
  /** Id of the saved query. */
  id: string;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
};

/** What `search.countQuery` takes. */
export type CountQueryInput = {
  /** Id of the saved query. */
  id: string;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
};

/** What `search.createQuery` takes. */
export type CreateQueryInput = {
  /** Words that an offer must have, all of them; the last may be the beginning of one, and words of 4 letters may be misspelt in one place, of 8 in two. A blank text is none. */
  title?: string | undefined;
  /** A type, or several, any of them. */
  offerType?: string | string[] | undefined;
  /** Ids of tags, all of them. */
  tags?: string[] | undefined;
  /** Technologies, all of them; trimmed, and duplicates ignored. */
  technologies?: string[] | undefined;
  /** Category paths, any of them. */
  categories?: string[] | undefined;
  /** Attribute keys, any of them. */
  customAttributes?: string[] | undefined;
  /** Id of the seller. */
  seller?: string | undefined;
  /** The developer, exactly. */
  developerDisplayName?: string | undefined;
  /** The publisher, exactly. */
  publisherDisplayName?: string | undefined;
  /** The refund type, exactly. */
  refundType?: string | undefined;
  /** Whether a code is the only way to get it; false includes unknown. */
  isCodeRedemptionOnly?: boolean | undefined;
  price?: PriceBounds | undefined;
  /** True: discounted in the region. False: not, those without a price included. */
  onSale?: boolean | undefined;
  /** True: discounted in the region, and as cheap there as ever on record. False is as absent. */
  isLowestPrice?: boolean | undefined;
  /** Only offers whose present price in the region is the lowest of that time, as their `lows` say: released, and not given away. Also one that was never higher. */
  lowestPriceOf?: "ever" | "days365" | "days90" | "days30" | undefined;
  /** Only offers with ratings, whose mean is this or more. */
  minRating?: number | undefined;
  /** True: drops offers whose attribute `isBlockchainUsed` is true. */
  excludeBlockchain?: boolean | undefined;
  /** True: only offers with a giveaway that has started. */
  pastGiveaways?: boolean | undefined;
  /** Without it, relevance when there is a `title`, else `lastModifiedDate`. A missing value is last in both directions. `priceAsc` and `priceDesc` disregard `sortDir`; `releaseDate`, `upcoming`, `giveawayDate` and `lowestFor` narrow what is found. `rating` is the mean of the offer's ratings and of five more, each of which is the mean of all ratings. */
  sortBy?: "releaseDate" | "lastModifiedDate" | "effectiveDate" | "creationDate" | "viewableDate" | "pcReleaseDate" | "upcoming" | "priceAsc" | "priceDesc" | "price" | "discount" | "discountPercent" | "priceUpdatedAt" | "giveawayDate" | "lowestFor" | "rating" | undefined;
  /** Default `desc`; for `upcoming` that is nearest first, for `lowestFor` longest first. */
  sortDir?: "asc" | "desc" | undefined;
};

/** What `webhooks.createWebhook` takes. */
export type CreateWebhookInput = {
  /** An `https` address, public unless the operator permits others; without user, password and fragment. Redirects are not followed. */
  url: string;
  /** `entry`: entries of the changelog; `price`: changes of prices; `query`: offers that enter or leave the result of a saved query. */
  events: ("entry" | "price" | "query")[];
  /** Id of the saved query. */
  queryId?: string | undefined;
  /** Country of the prices, ISO 3166-1 alpha-2. Without it price changes of all regions are sent, and the query is that of the default country. */
  country?: string | undefined;
  /** For people. */
  description?: string | undefined;
};

/** A saved query. */
export type CreatedQuery = {
  /** Id of the saved query: 32 hexadecimal digits, the same for all bodies that ask for the same. */
  id: string;
};

/** A new webhook, and its secret. */
export type CreatedWebhook = {
  /** Id of the webhook. */
  id: string;
  /** Where webhooks are posted to. */
  url: string;
  /** What it receives. */
  events: ("entry" | "price" | "query")[];
  /** Saved query of `query`; null without. */
  queryId: string | null;
  /** Country of the prices; null for prices of all regions, and for queries in the default country. */
  country: string | null;
  /** For people; null when there is none. */
  description: string | null;
  /** Whether events are sent. While it is paused they are stored for three days. */
  active: boolean;
  /** Why the service paused it; null when a caller did, and while it is active. */
  pausedReason: string | null;
  /** When the first attempt failed since the last success; null otherwise. */
  failingSince: string | null;
  /** When it was created. */
  createdAt: string | null;
  /** Signs its deliveries, by Standard Webhooks; only this response has it. */
  secret: string;
};

/** A giveaway that is on, and those before it. */
export type CurrentGiveaway = {
  /** Id of the giveaway. */
  id: string;
  /** The offer that costs nothing. */
  offerId: string | null;
  /** `android`, `ios`; null for desktop. */
  platform: string | null;
  /** Title of the offer. */
  title: string | null;
  /** Sandbox of the offer. */
  namespace: string | null;
  /** When it begins; null when unknown. */
  startDate: string | null;
  /** When it ends; null when unknown. */
  endDate: string | null;
  /** Earlier giveaways on any platform, newest first. */
  historical: Giveaway[];
};

/** A named value from the source. */
export type CustomAttribute = {
  /** Name of the value. */
  key: string;
  /** Kind of value. */
  type: string | null;
  /** The value as text. */
  value: string | null;
};

/** What `webhooks.deleteWebhook` takes. */
export type DeleteWebhookInput = {
  /** Id of the webhook. */
  id: string;
};

/** A page of found changes, newest first. */
export type EntrySearchPage = {
  /** The entries of the page. */
  hits: ChangelogEntry[];
  /** Number of matching entries on all pages; exact without a text. */
  estimatedTotalHits: number;
  /** Milliseconds it took. */
  processingTimeMs: number;
  /** The text searched for, trimmed. */
  query: string;
};

/** A value and how many of the found offers have it. */
export type FacetCount = {
  /** The value. */
  _id: string;
  /** Number of offers. */
  count: number;
};

/** Counts over all found offers, most first. */
export type FacetCounts = {
  /** By tag id. */
  tagCounts: FacetCount[];
  /** By offer type. */
  offerTypeCounts: FacetCount[];
  /** Number of found offers. */
  total: number;
  /** By name of the developer. */
  developer: FacetCount[];
  /** By name of the publisher. */
  publisher: FacetCount[];
  priceRange: FacetPriceRange;
};

/** What the found offers cost in the region; nulls when none has a price there. */
export type FacetPriceRange = {
  /** Lowest, in minor units. */
  minPrice: number | null;
  /** Highest, in minor units. */
  maxPrice: number | null;
  /** ISO 4217. */
  currency: string | null;
  currencyDecimals: number | null;
};

/** Narrows a facet to the first 250 values that contain a text. Without `aggregations`, nothing else is counted. 503 while the search service is of a release that does not support it. */
export type FacetQuery = {
  /** The facet, as in `aggregations`. */
  facet: "technologies" | "offerType" | "tags" | "developer" | "publisher" | "seller";
  /** What is typed: each of its words is found within a word of a value, or as the beginning of several that are written together; case, accents and punctuation do not matter. */
  text: string;
};

/** A ranked store listing that is discounted. */
export type FeaturedOffer = {
  /** Id of the offer. */
  id: string;
  /** Sandbox of the offer. */
  namespace: string | null;
  /** Name of the offer. */
  title: string | null;
  /** A sentence or two. */
  description: string | null;
  /** Text of the product page, which may hold markup. */
  longDescription: string | null;
  /** `BASE_GAME`, `DLC`, `ADD_ON`, `EDITION`, `BUNDLE`, `CONSUMABLE` or another. */
  offerType: string | null;
  /** Name of the developer. */
  developerDisplayName: string | null;
  /** Name of the publisher. */
  publisherDisplayName: string | null;
  /** Who sells the offer; null when unknown. */
  seller: Seller | null;
  /** Genres, features and other tags. */
  tags: OfferTag[];
  /** Pages of the storefront that show the offer. */
  offerMappings: OfferMapping[];
  /** Slug of the product page. */
  productSlug: string | null;
  /** Slug that old addresses use. */
  urlSlug: string | null;
  /** Address of the product page, as the source gives it. */
  url: string | null;
  /** Pictures, in the order of the source. */
  keyImages: KeyImage[];
  /** When it is released on any platform. */
  releaseDate: string | null;
  /** When the offer was last changed. */
  lastModifiedDate: string | null;
  /** State of the record at its source. */
  status: string | null;
  /** From when the offer counts. */
  effectiveDate: string | null;
  /** When the offer was made. */
  creationDate: string | null;
  /** When it is released on desktop. */
  pcReleaseDate: string | null;
  /** From when the storefront shows it. */
  viewableDate: string | null;
  /** A code is the only way to get it. */
  isCodeRedemptionOnly: boolean | null;
  /** It can be bought before its release. */
  prePurchase: boolean | null;
  /** What a buyer gets. */
  items: OfferItem[];
  /** Further values, in the order of the source. */
  customAttributes: CustomAttribute[];
  /** Paths of its categories. */
  categories: string[];
  /** Countries where it is not sold, as ISO 3166-1 alpha-2 codes. */
  countriesBlacklist: string[];
  /** The only countries where it is sold; empty when there is no such list. */
  countriesWhitelist: string[];
  /** Whether it can be given back. */
  refundType: string | null;
  /** Offers that it bundles. */
  collectionOfferIds: string[];
  /** The locale asked for. */
  locale: string;
  /** `canonical`: the canonical locale was asked for; `localized`: the texts of the locale are laid over; `fallback`: there are none, the texts are canonical. */
  localeStatus: "canonical" | "localized" | "fallback";
  /** Locale of the canonical texts; absent when it is the one asked for. */
  canonicalLocale?: string | undefined;
  localization?: Localization | undefined;
  /** The price in the request's region; null when there is none. */
  price: PricePoint | null;
  /** Best place in any collection, from 1. */
  position: number;
};

/** What `search.findOffers` takes. */
export type FindOffersInput = {
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
  /** Words that an offer must have, all of them; the last may be the beginning of one, and words of 4 letters may be misspelt in one place, of 8 in two. A blank text is none. */
  title?: string | undefined;
  /** Ids of tags, all of them. */
  tags?: string[] | undefined;
  /** Technologies, all of them; trimmed, and duplicates ignored. */
  technologies?: string[] | undefined;
  /** Category paths, any of them. */
  categories?: string[] | undefined;
  /** Attribute keys, any of them. */
  customAttributes?: string[] | undefined;
  /** Id of the seller. */
  seller?: string | undefined;
  /** The developer, exactly. */
  developerDisplayName?: string | undefined;
  /** The publisher, exactly. */
  publisherDisplayName?: string | undefined;
  /** The refund type, exactly. */
  refundType?: string | undefined;
  /** Whether a code is the only way to get it; false includes unknown. */
  isCodeRedemptionOnly?: boolean | undefined;
  /** True: discounted in the region. False: not, those without a price included. */
  onSale?: boolean | undefined;
  /** True: discounted in the region, and as cheap there as ever on record. False is as absent. */
  isLowestPrice?: boolean | undefined;
  /** Only offers whose present price in the region is the lowest of that time, as their `lows` say: released, and not given away. Also one that was never higher. */
  lowestPriceOf?: "ever" | "days365" | "days90" | "days30" | undefined;
  /** Only offers with ratings, whose mean is this or more. */
  minRating?: number | undefined;
  /** True: drops offers whose attribute `isBlockchainUsed` is true. */
  excludeBlockchain?: boolean | undefined;
  /** True: only offers with a giveaway that has started. */
  pastGiveaways?: boolean | undefined;
  /** Types, any of them. */
  offerType?: string[] | undefined;
  /** At least this much, in minor units. */
  "price.min"?: number | undefined;
  /** At most this much, in minor units. */
  "price.max"?: number | undefined;
  /** Without it, relevance when there is a `title`, else `lastModifiedDate`. A missing value is last in both directions. `priceAsc` and `priceDesc` disregard `sortDir`; `releaseDate`, `upcoming`, `giveawayDate` and `lowestFor` narrow what is found. `rating` is the mean of the offer's ratings and of five more, each of which is the mean of all ratings. */
  sortBy?: "releaseDate" | "lastModifiedDate" | "effectiveDate" | "creationDate" | "viewableDate" | "pcReleaseDate" | "upcoming" | "priceAsc" | "priceDesc" | "price" | "discount" | "discountPercent" | "priceUpdatedAt" | "giveawayDate" | "lowestFor" | "rating" | undefined;
  /** Default `desc`; for `upcoming` that is nearest first, for `lowestFor` longest first. */
  sortDir?: "asc" | "desc" | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** The `next` of an earlier response to the same filter, sort and country; `limit` may differ. Not with `page`. */
  cursor?: string | undefined;
  /** Most offers on a page. Default: 10. */
  limit?: number | undefined;
  /** Whether to count over all pages. Without it `aggregations` is empty, but for what `facetQuery` asks for: for another page, or another order, of what was counted before. Default: true. */
  aggregations?: boolean | undefined;
  /** Whether `offerType`, `developer`, `publisher` and `seller` are counted without their own filter, so that another value can be chosen, and `price_stats` without the bounds of the price. `tags` and `technologies`, whose filters require all values, are counted over the result. Default: false. */
  disjunctiveAggregations?: boolean | undefined;
  /** The facet, as in `aggregations`. */
  "facetQuery.facet"?: "technologies" | "offerType" | "tags" | "developer" | "publisher" | "seller" | undefined;
  /** What is typed: each of its words is found within a word of a value, or as the beginning of several that are written together; case, accents and punctuation do not matter. */
  "facetQuery.text"?: string | undefined;
  /** Whether found offers have `highlights`: what the words of `title` matched in their titles and descriptions. Without words there are none. Default: false. */
  highlight?: boolean | undefined;
};

/** What `search.followQuery` takes. */
export type FollowQueryInput = {
  /** Id of the saved query. */
  id: string;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Begin with what follows this event; what `Last-Event-ID` names counts more. */
  after?: string | undefined;
};

/** A found offer with its price in one region. */
export type FoundOffer = {
  /** Id of the offer. */
  id: string;
  /** Sandbox of the offer. */
  namespace: string | null;
  /** Name of the offer. */
  title: string | null;
  /** A sentence or two. */
  description: string | null;
  /** Text of the product page, which may hold markup. */
  longDescription: string | null;
  /** `BASE_GAME`, `DLC`, `ADD_ON`, `EDITION`, `BUNDLE`, `CONSUMABLE` or another. */
  offerType: string | null;
  /** Name of the developer. */
  developerDisplayName: string | null;
  /** Name of the publisher. */
  publisherDisplayName: string | null;
  /** Who sells the offer; null when unknown. */
  seller: Seller | null;
  /** Genres, features and other tags. */
  tags: OfferTag[];
  /** Pages of the storefront that show the offer. */
  offerMappings: OfferMapping[];
  /** Slug of the product page. */
  productSlug: string | null;
  /** Slug that old addresses use. */
  urlSlug: string | null;
  /** Address of the product page, as the source gives it. */
  url: string | null;
  /** Pictures, in the order of the source. */
  keyImages: KeyImage[];
  /** When it is released on any platform. */
  releaseDate: string | null;
  /** When the offer was last changed. */
  lastModifiedDate: string | null;
  /** State of the record at its source. */
  status: string | null;
  /** From when the offer counts. */
  effectiveDate: string | null;
  /** When the offer was made. */
  creationDate: string | null;
  /** When it is released on desktop. */
  pcReleaseDate: string | null;
  /** From when the storefront shows it. */
  viewableDate: string | null;
  /** A code is the only way to get it. */
  isCodeRedemptionOnly: boolean | null;
  /** It can be bought before its release. */
  prePurchase: boolean | null;
  /** What a buyer gets. */
  items: OfferItem[];
  /** Further values, in the order of the source. */
  customAttributes: CustomAttribute[];
  /** Paths of its categories. */
  categories: string[];
  /** Countries where it is not sold, as ISO 3166-1 alpha-2 codes. */
  countriesBlacklist: string[];
  /** The only countries where it is sold; empty when there is no such list. */
  countriesWhitelist: string[];
  /** Whether it can be given back. */
  refundType: string | null;
  /** Offers that it bundles. */
  collectionOfferIds: string[];
  /** The locale asked for. */
  locale: string;
  /** `canonical`: the canonical locale was asked for; `localized`: the texts of the locale are laid over; `fallback`: there are none, the texts are canonical. */
  localeStatus: "canonical" | "localized" | "fallback";
  /** Locale of the canonical texts; absent when it is the one asked for. */
  canonicalLocale?: string | undefined;
  localization?: Localization | undefined;
  /** The price in the request's region; null when there is none. */
  price: PricePoint | null;
  /** Only with `highlight`, in a search by `title`. */
  highlights?: Highlights | undefined;
};

/** A giveaway with its offer. */
export type FreeGame = {
  /** Id of the giveaway. */
  id: string;
  /** The offer that costs nothing. */
  offerId: string | null;
  /** `android`, `ios`; null for desktop. */
  platform: string | null;
  /** Title of the offer. */
  title: string | null;
  /** Sandbox of the offer. */
  namespace: string | null;
  /** When it begins; null when unknown. */
  startDate: string | null;
  /** When it ends; null when unknown. */
  endDate: string | null;
  /** The offer that costs nothing; null when it is not known. */
  offer: PricedOffer | null;
};

/** A page of giveaways with their offers. */
export type FreeGamePage = {
  /** The giveaways of the page. */
  elements: FreeGame[];
  /** Page number, one-based. */
  page: number;
  /** Most records on a page, as applied. */
  limit: number;
  /** Number of giveaways on all pages. */
  total: number;
};

/** A seller in the history of free games. */
export type FreeGameSeller = {
  /** Id of the seller. */
  sellerId: string | null;
  /** Name of the seller. */
  sellerName: string | null;
  /** Distinct offers with a giveaway that has started. */
  totalSingleGames: number;
};

/** What `changelog.getEntry` takes. */
export type GetEntryInput = {
  /** Id of the change. */
  id: string;
};

/** What `catalog.getItem` takes. */
export type GetItemInput = {
  /** Id of the item. */
  id: string;
};

/** What `catalog.getItemOffer` takes. */
export type GetItemOfferInput = {
  /** Id of the item. */
  id: string;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
};

/** What `catalog.getOffer` takes. */
export type GetOfferInput = {
  /** Id of the offer. */
  id: string;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
};

/** What `catalog.getOfferOverview` takes. */
export type GetOfferOverviewInput = {
  /** Id of the offer. */
  id: string;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
};

/** What `pricing.getPrice` takes. */
export type GetPriceInput = {
  /** Id of the offer. */
  id: string;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
};

/** What `search.getQuery` takes. */
export type GetQueryInput = {
  /** Id of the saved query. */
  id: string;
};

/** What `catalog.getSandbox` takes. */
export type GetSandboxInput = {
  /** Namespace or sandbox id. */
  sandboxId: string;
};

/** What `search.getSavedQuery` takes. */
export type GetSavedQueryInput = {
  /** Id of the saved query. */
  id: string;
};

/** What `webhooks.getWebhook` takes. */
export type GetWebhookInput = {
  /** Id of the webhook. */
  id: string;
};

/** A time during which an offer costs nothing. */
export type Giveaway = {
  /** Id of the giveaway. */
  id: string;
  /** The offer that costs nothing. */
  offerId: string | null;
  /** `android`, `ios`; null for desktop. */
  platform: string | null;
  /** Title of the offer. */
  title: string | null;
  /** Sandbox of the offer. */
  namespace: string | null;
  /** When it begins; null when unknown. */
  startDate: string | null;
  /** When it ends; null when unknown. */
  endDate: string | null;
};

/** How the parts of the system are doing. */
export type Health = {
  /** `ok` when every part is. */
  status: "ok" | "error";
  services: HealthParts;
  /** With status 503: what fails. */
  message?: string | undefined;
  /** With status 503: `UNAVAILABLE`. */
  error?: string | undefined;
};

/** The parts of the system, each by itself. */
export type HealthParts = {
  cache: PartHealth;
  /** The worst over the services that use one. */
  database: PartHealth;
  catalog: PartHealth;
  pricing: PartHealth;
  reviews: PartHealth;
  /** An error also while it cannot follow the catalog. */
  changelog: PartHealth;
  /** An error also while its engine is unavailable or cannot be written to. */
  search: PartHealth;
};

/** What the words of a search matched in an offer, as HTML: escaped text with each match in a `mark` element. */
export type Highlights = {
  /** The title; absent when nothing in it matched, or another one is shown. */
  title?: string | undefined;
  /** At most 200 characters of the description, where most matched; absent when nothing in it matched, or another one is shown. */
  description?: string | undefined;
};

/** What an offer grants. A null member is unknown. */
export type Item = {
  /** Id of the item. */
  id: string;
  /** Sandbox of the item. */
  namespace: string | null;
  /** Name of the item. */
  title: string | null;
  /** Pictures, in the order of the source. */
  keyImages: KeyImage[];
  /** Releases of the item's application. */
  releaseInfo: ReleaseInfo[];
  /** A sentence or two. */
  description: string | null;
  /** Text of the product page, which may hold markup. */
  longDescription: string | null;
  /** Requirements, as the developer words them. */
  technicalDetails: string | null;
  /** Categories of the item. */
  categories: ItemCategory[];
  /** State of the record at its source. */
  status: string | null;
  /** When the item was made. */
  creationDate: string | null;
  /** When the item was last changed. */
  lastModifiedDate: string | null;
  /** Further values, in the order of the source. */
  customAttributes: CustomAttribute[];
  /** Name of what a player owns with the item. */
  entitlementName: string | null;
  /** Kind of what a player owns. */
  entitlementType: string | null;
  /** Whether the item lasts or is used up. */
  itemType: string | null;
  /** Name of the developer. */
  developer: string | null;
  /** Id of the developer. */
  developerId: string | null;
  /** Licence agreements that a player accepts. */
  eulaIds: string[];
  /** No longer supported by its developer. */
  endOfSupport: boolean | null;
  /** Left out of the storefront's own search. */
  unsearchable: boolean | null;
  /** Id of the application. */
  applicationId: string | null;
  /** Needs an account with a second factor. */
  requiresSecureAccount: boolean | null;
  /** Players can give it back without asking anyone. */
  selfRefundable: boolean | null;
};

/** A category that an item is in. */
export type ItemCategory = {
  /** Path of the category. */
  path: string;
};

/** A page of items, newest change first. */
export type ItemPage = {
  /** The items of the page. */
  elements: ItemSummary[];
  /** Page number, one-based. */
  page: number;
  /** Most records on a page, as applied. */
  limit: number;
  /** Number of items on all pages. */
  total: number;
};

/** What a list shows of an item. */
export type ItemSummary = {
  /** Id of the item. */
  id: string;
  /** Sandbox of the item. */
  namespace: string | null;
  /** Name of the item. */
  title: string | null;
  /** Pictures, in the order of the source. */
  keyImages: KeyImage[];
  /** Releases of the item's application. */
  releaseInfo: ReleaseInfo[];
};

/** A picture of an offer or item. */
export type KeyImage = {
  /** Role of the picture. */
  type: string | null;
  /** Address as the source gives it; may be relative. */
  url: string | null;
  /** Pixels. */
  width: number | null;
  /** Pixels. */
  height: number | null;
  /** MD5 digest of the picture's bytes. */
  md5: string | null;
};

/** What `changelog.listEntries` takes. */
export type ListEntriesInput = {
  /** The list begins with the first change of the log whose timestamp is not before this time, and then follows the log: give the newest timestamp that you have, or better use `after`. */
  since?: string | undefined;
  /** The list begins with the next change in the log. 404 when this one, or one before it, was undone since: restart without it. */
  after?: string | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 50 is lowered to 50. Default: 10. */
  limit?: number | undefined;
};

/** What `pricing.listFeaturedDiscounts` takes. */
export type ListFeaturedDiscountsInput = {
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
};

/** What `pricing.listFreeGames` takes. */
export type ListFreeGamesInput = {
  /** What they are now. Both ends of a giveaway belong to it, and one without an end goes on. One without a start is `past` once its end is over, and nothing before. Default: "current". */
  state?: "current" | "upcoming" | "past" | undefined;
  /** Only giveaways on these platforms: some of `desktop`, `android`, `ios`, separated by commas. */
  platform?: string | undefined;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 100 is lowered to 100. Default: 20. */
  limit?: number | undefined;
};

/** What `catalog.listItemBuilds` takes. */
export type ListItemBuildsInput = {
  /** Id of the item. */
  id: string;
};

/** What `changelog.listItemEntries` takes. */
export type ListItemEntriesInput = {
  /** Id of the item. */
  id: string;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 50 is lowered to 50. Default: 10. */
  limit?: number | undefined;
};

/** What `catalog.listItems` takes. */
export type ListItemsInput = {
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 50 is lowered to 50. Default: 10. */
  limit?: number | undefined;
};

/** What `pricing.listMobileFreeGames` takes. */
export type ListMobileFreeGamesInput = {
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
};

/** What `catalog.listOfferCollection` takes. */
export type ListOfferCollectionInput = {
  /** Id of the offer. */
  id: string;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
};

/** What `pricing.listOfferPrices` takes. */
export type ListOfferPricesInput = {
  /** Id of the offer. */
  id: string;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
  /** Members to show, separated by commas, default all of them; `region` is always there. */
  fields?: string | undefined;
};

/** What `catalog.listOffers` takes. */
export type ListOffersInput = {
  /** The `next` of the part before; absent for the first one. */
  after?: string | undefined;
  /** Most records of a response. Default: 50. */
  limit?: number | undefined;
  /** Only what the service has changed at this time or later. Deleted records are in the changelog alone. */
  updatedSince?: string | undefined;
  /** Only offers of these types, once for each. */
  offerType?: string[] | undefined;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
};

/** What `pricing.listPriceChanges` takes. */
export type ListPriceChangesInput = {
  /** Code of a pricing region, any case; all when absent. */
  region?: string | undefined;
  /** The list begins with the first change that was not stored before this time, and then follows the log. 404 when the log no longer reaches back to it. */
  since?: string | undefined;
  /** The list begins with what follows this change in the log, or the place that `next` named. 404 when the log does not have it, or no longer all that follows it. */
  after?: string | undefined;
  /** Most records on a page; a value above 500 is lowered to 500. Default: 50. */
  limit?: number | undefined;
};

/** What `pricing.listPriceHistory` takes. */
export type ListPriceHistoryInput = {
  /** Id of the offer. */
  id: string;
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 500 is lowered to 500. Default: 50. */
  limit?: number | undefined;
};

/** What `reviews.listReviews` takes. */
export type ListReviewsInput = {
  /** Id of the offer. */
  id: string;
  /** `true`: only reviews of verified owners; `false`: all others, unknown included. */
  verified?: "true" | "false" | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 25 is lowered to 25. Default: 10. */
  limit?: number | undefined;
};

/** What `catalog.listSandboxAssets` takes. */
export type ListSandboxAssetsInput = {
  /** Namespace or sandbox id. */
  sandboxId: string;
  /** Only assets of these platforms: separated by commas, any case. */
  platform?: string | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 100 is lowered to 100. Default: 10. */
  limit?: number | undefined;
};

/** What `changelog.listSandboxEntries` takes. */
export type ListSandboxEntriesInput = {
  /** Namespace or sandbox id. */
  sandboxId: string;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 50 is lowered to 50. Default: 10. */
  limit?: number | undefined;
};

/** What `catalog.listSandboxOffers` takes. */
export type ListSandboxOffersInput = {
  /** Namespace or sandbox id. */
  sandboxId: string;
  /** Only offers of these types: separated by commas. */
  offerType?: string | undefined;
  /** Only offers whose canonical title contains this text, any case. */
  title?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 100 is lowered to 100. Default: 10. */
  limit?: number | undefined;
};

/** What `catalog.listSandboxes` takes. */
export type ListSandboxesInput = {
  /** The `next` of the part before; absent for the first one. */
  after?: string | undefined;
  /** Most records of a response. Default: 50. */
  limit?: number | undefined;
  /** Only what the service has changed at this time or later. Deleted records are in the changelog alone. */
  updatedSince?: string | undefined;
};

/** What `search.listSellers` takes. */
export type ListSellersInput = {
  /** Only sellers whose name contains it, by the rule of `facetQuery`. */
  query?: string | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 100 is lowered to 100. Default: 20. */
  limit?: number | undefined;
};

/** What `webhooks.listWebhookDeliveries` takes. */
export type ListWebhookDeliveriesInput = {
  /** Id of the webhook. */
  id: string;
  /** The `next` of the part before; absent for the first one. */
  after?: string | undefined;
  /** Most deliveries; a value above 100 is lowered to 100. Default: 20. */
  limit?: number | undefined;
};

/** A seller and how many offers it sells. */
export type ListedSeller = {
  /** What the filter `seller` takes; null for a seller without an id. */
  id: string | null;
  /** The name. */
  name: string;
  /** Number of offers. */
  offers: number;
};

/** A tag and how many offers have it. */
export type ListedTag = {
  /** What the filter `tags` takes. */
  id: string;
  /** Of the tag's record, otherwise what most of its offers call it; null when neither has one. */
  name: string | null;
  /** Group of the tag's record; null without a record. */
  groupName: string | null;
  /** Number of offers. */
  offers: number;
};

/** Where the localized texts came from. */
export type Localization = {
  /** Who provided the texts. */
  source: string | null;
  /** When the texts were fetched. */
  fetchedAt: string | null;
  /** When the source changed them; absent when it does not tell. */
  sourceUpdatedAt?: string | null | undefined;
};

/** An offer and how near it is. */
export type MeaningMatch = {
  /** Higher is nearer; comparable only within one response. */
  score: number;
  offer: PricedOffer;
};

/** Offers by how near their meaning is, best first. */
export type MeaningMatches = {
  /** The query, trimmed. */
  query: string;
  /** Number of matches in this response. */
  count: number;
  /** The offers. */
  matches: MeaningMatch[];
  /** Counts over the matches in this response, not over all offers that pass the filters. Only when `aggregations` is true. */
  aggregations?: OfferAggregations | undefined;
};

/** A current giveaway with its offer. */
export type MobileFreeGame = {
  /** Id of the offer. */
  id: string;
  /** Sandbox of the offer. */
  namespace: string | null;
  /** Name of the offer. */
  title: string | null;
  /** A sentence or two. */
  description: string | null;
  /** Text of the product page, which may hold markup. */
  longDescription: string | null;
  /** `BASE_GAME`, `DLC`, `ADD_ON`, `EDITION`, `BUNDLE`, `CONSUMABLE` or another. */
  offerType: string | null;
  /** Name of the developer. */
  developerDisplayName: string | null;
  /** Name of the publisher. */
  publisherDisplayName: string | null;
  /** Who sells the offer; null when unknown. */
  seller: Seller | null;
  /** Genres, features and other tags. */
  tags: OfferTag[];
  /** Pages of the storefront that show the offer. */
  offerMappings: OfferMapping[];
  /** Slug of the product page. */
  productSlug: string | null;
  /** Slug that old addresses use. */
  urlSlug: string | null;
  /** Address of the product page, as the source gives it. */
  url: string | null;
  /** Pictures, in the order of the source. */
  keyImages: KeyImage[];
  /** When it is released on any platform. */
  releaseDate: string | null;
  /** When the offer was last changed. */
  lastModifiedDate: string | null;
  /** State of the record at its source. */
  status: string | null;
  /** From when the offer counts. */
  effectiveDate: string | null;
  /** When the offer was made. */
  creationDate: string | null;
  /** When it is released on desktop. */
  pcReleaseDate: string | null;
  /** From when the storefront shows it. */
  viewableDate: string | null;
  /** A code is the only way to get it. */
  isCodeRedemptionOnly: boolean | null;
  /** It can be bought before its release. */
  prePurchase: boolean | null;
  /** What a buyer gets. */
  items: OfferItem[];
  /** Further values, in the order of the source. */
  customAttributes: CustomAttribute[];
  /** Paths of its categories. */
  categories: string[];
  /** Countries where it is not sold, as ISO 3166-1 alpha-2 codes. */
  countriesBlacklist: string[];
  /** The only countries where it is sold; empty when there is no such list. */
  countriesWhitelist: string[];
  /** Whether it can be given back. */
  refundType: string | null;
  /** Offers that it bundles. */
  collectionOfferIds: string[];
  /** The locale asked for. */
  locale: string;
  /** `canonical`: the canonical locale was asked for; `localized`: the texts of the locale are laid over; `fallback`: there are none, the texts are canonical. */
  localeStatus: "canonical" | "localized" | "fallback";
  /** Locale of the canonical texts; absent when it is the one asked for. */
  canonicalLocale?: string | undefined;
  localization?: Localization | undefined;
  giveaway: CurrentGiveaway;
  /** The price in the request's region; null when there is none. */
  price: PricePoint | null;
};

/** A name with the id that its filter takes, and how many of the found offers have it. */
export type NamedBucket = {
  /** The name. */
  key: string;
  /** What the filter takes; null for a seller without an id, and while the search service is too old to say it. */
  id: string | null;
  /** Number of offers. */
  doc_count: number;
};

/** Most offers first, then by key; at most 250. Two ids of one name are two buckets. */
export type NamedBuckets = {
  /** The values. */
  buckets: NamedBucket[];
};

/** A value that offers have. */
export type NearValue = {
  /** What the filter takes, where that is not the name. */
  id?: string | undefined;
  /** The value, or its name. */
  name: string;
};

/** A store listing. A null member is unknown. */
export type Offer = {
  /** Id of the offer. */
  id: string;
  /** Sandbox of the offer. */
  namespace: string | null;
  /** Name of the offer. */
  title: string | null;
  /** A sentence or two. */
  description: string | null;
  /** Text of the product page, which may hold markup. */
  longDescription: string | null;
  /** `BASE_GAME`, `DLC`, `ADD_ON`, `EDITION`, `BUNDLE`, `CONSUMABLE` or another. */
  offerType: string | null;
  /** Name of the developer. */
  developerDisplayName: string | null;
  /** Name of the publisher. */
  publisherDisplayName: string | null;
  /** Who sells the offer; null when unknown. */
  seller: Seller | null;
  /** Genres, features and other tags. */
  tags: OfferTag[];
  /** Pages of the storefront that show the offer. */
  offerMappings: OfferMapping[];
  /** Slug of the product page. */
  productSlug: string | null;
  /** Slug that old addresses use. */
  urlSlug: string | null;
  /** Address of the product page, as the source gives it. */
  url: string | null;
  /** Pictures, in the order of the source. */
  keyImages: KeyImage[];
  /** When it is released on any platform. */
  releaseDate: string | null;
  /** When the offer was last changed. */
  lastModifiedDate: string | null;
  /** State of the record at its source. */
  status: string | null;
  /** From when the offer counts. */
  effectiveDate: string | null;
  /** When the offer was made. */
  creationDate: string | null;
  /** When it is released on desktop. */
  pcReleaseDate: string | null;
  /** From when the storefront shows it. */
  viewableDate: string | null;
  /** A code is the only way to get it. */
  isCodeRedemptionOnly: boolean | null;
  /** It can be bought before its release. */
  prePurchase: boolean | null;
  /** What a buyer gets. */
  items: OfferItem[];
  /** Further values, in the order of the source. */
  customAttributes: CustomAttribute[];
  /** Paths of its categories. */
  categories: string[];
  /** Countries where it is not sold, as ISO 3166-1 alpha-2 codes. */
  countriesBlacklist: string[];
  /** The only countries where it is sold; empty when there is no such list. */
  countriesWhitelist: string[];
  /** Whether it can be given back. */
  refundType: string | null;
  /** Offers that it bundles. */
  collectionOfferIds: string[];
  /** The locale asked for. */
  locale: string;
  /** `canonical`: the canonical locale was asked for; `localized`: the texts of the locale are laid over; `fallback`: there are none, the texts are canonical. */
  localeStatus: "canonical" | "localized" | "fallback";
  /** Locale of the canonical texts; absent when it is the one asked for. */
  canonicalLocale?: string | undefined;
  localization?: Localization | undefined;
};

/** Counts over the found offers of all pages. They are shared by all pages and may be of a moment up to a second before or after that of `total`, so while offers are written a count may be above it. */
export type OfferAggregations = {
  technologies: Buckets;
  offerType: Buckets;
  tags: NamedBuckets;
  developer: Buckets;
  publisher: Buckets;
  seller: NamedBuckets;
  price_stats: PriceStats;
};

/** The offers of the submitted ids, each id once. */
export type OfferBatch = {
  /** The known offers in the order of the ids. */
  offers: BatchOffer[];
  /** Ids that no offer has, in their order. */
  unknown: string[];
};

/** The submitted ids in two lists, each id once. */
export type OfferExistence = {
  /** Those that offers have. */
  existingOffers: string[];
  /** Those that none has. */
  nonExistingOffers: string[];
};

/** From the offer's active tags. */
export type OfferFeatures = {
  /** Names of the offer's features. */
  features: string[];
  /** Names of what the storefront adds. */
  epicFeatures: string[];
};

/** An item that the offer grants. */
export type OfferItem = {
  /** Id of the item. */
  id: string;
  /** Sandbox of the item. */
  namespace: string | null;
};

/** A part of all offers. */
export type OfferListing = {
  /** By id. */
  offers: PricedOffer[];
  /** What `after` takes for the next part; null at the end. */
  next: string | null;
};

/** A page of the storefront that shows the offer. */
export type OfferMapping = {
  /** Slug of the page. */
  pageSlug: string | null;
  /** Kind of page. */
  pageType: string | null;
};

/** An offer and what stands beside it; a part that is unknown is null or empty. */
export type OfferOverview = {
  offer: Offer;
  /** The price in the request's region; null when there is none. */
  price: PricePoint | null;
  /** Pictures and videos, as the source gives them. */
  media: Record<string, unknown> | null;
  /** The offer in an external database of games. */
  extdb: Record<string, unknown> | null;
  /** What the offer can do; null when unknown. */
  features: OfferFeatures | null;
  /** One member, named after the rating system of the country: ESRB, PEGI, USK, CERO, ACB, ClassInd, GRAC or Generic. Null when that system has not rated the sandbox. */
  ageRating: Record<string, unknown> | null;
  /** Every giveaway of the offer on any platform, newest first. */
  giveaways: Giveaway[];
  /** Ratings of all reviews of the offer; null when unavailable. */
  reviewSummary: ReviewSummary | null;
  /** Results of player polls. */
  polls: Record<string, unknown> | null;
  /** The offer's active tags that are genres. */
  genres: OfferTag[];
  /** Found in the newest build of each application of the offer's items, else of its sandbox's executables. */
  technologies: BuildTechnology[];
};

/** The prices of an offer in all regions. */
export type OfferPrices = {
  /** The offer. */
  offerId: string;
  /** One of each region that has a price, by its code. */
  prices: RegionalPrice[];
};

/** A page of found offers, and counts over all of them. */
export type OfferSearchPage = {
  /** Number of found offers on all pages. */
  total: number;
  /** Those of the page that still exist, each with its price. */
  offers: FoundOffer[];
  /** Page number, one-based. */
  page: number;
  /** Most records on a page, as applied. */
  limit: number;
  aggregations: OfferAggregations;
  /** The `cursor` of the next page; null at the end. There is no limit of depth, and an offer whose position in the order does not change is on exactly one page. */
  next: string | null;
  meta: SearchMeta;
};

/** A genre, feature or other tag of an offer. */
export type OfferTag = {
  /** Id of the tag; searches filter by it. */
  id: string;
  /** Name of the tag. */
  name: string | null;
};

/** How one part of the system is doing. */
export type PartHealth = {
  /** `error` when it fails or takes over 2 s. */
  status: "ok" | "error";
  /** Milliseconds; null on error. */
  latency: number | null;
};

/** An amount to pay, in minor units of its currency. */
export type Price = {
  /** ISO 4217. */
  currencyCode: string;
  /** Decimals of the currency's amounts, which are in minor units: with 2, 1999 is 19.99. */
  currencyDecimals: number;
  /** Minor units before any discount. */
  originalPrice: number;
  /** Minor units to pay now. */
  discountPrice: number;
  /** originalPrice - discountPrice: an amount, never a percentage. */
  discount: number;
  /** The share taken off in whole percent, half up; 0 when the price is not reduced. */
  percentOff: number;
};

/** Bounds on what is to pay in the region, inclusive. Also without bounds it drops offers that have no price there. */
export type PriceBounds = {
  /** At least this much, in minor units. */
  min?: number | undefined;
  /** At most this much, in minor units. */
  max?: number | undefined;
};

/** One change of what an offer costs in a region. */
export type PriceChange = {
  /** Id of the change; its place in the log. */
  id: string;
  /** The offer. */
  offerId: string;
  /** Pricing region. */
  region: string;
  /** When the change was stored; what `since` goes by. */
  committedAt: string | null;
  /** When the new price was seen at its source. */
  observedAt: string | null;
  /** The price before; null when there was none, or it was forgotten. */
  previousPrice: PricePoint | null;
  /** The price after; null when it is gone. */
  price: PricePoint | null;
  /** Whether the price was forgotten: drop what you have of its past, which is listed no more. */
  isForgotten: boolean;
  /** Null when the offer is unknown, or its lookup failed or took too long. */
  offer: PriceChangeOffer | null;
};

/** The offer whose price changed, as it stands now. */
export type PriceChangeOffer = {
  /** Title of the offer. */
  title: string | null;
  /** Sandbox of the offer. */
  namespace: string | null;
};

/** Some changes of prices, and where to continue. */
export type PriceChangePage = {
  /** The changes. */
  elements: PriceChange[];
  /** Give it as `after` for what follows in the log; there is nothing yet when it is the one that you gave. */
  next: string;
};

/** A page of past and present prices, newest first. */
export type PriceHistoryPage = {
  /** The prices of the page. */
  elements: PricePoint[];
  /** Page number, one-based. */
  page: number;
  /** Most records on a page, as applied. */
  limit: number;
  /** Number of prices on all pages. */
  total: number;
};

/** The lowest price of a time. */
export type PriceLow = {
  /** What was to pay, in minor units. */
  discountPrice: number;
  /** When the first price of that amount began: maybe before the time that is looked at, never before the release. */
  firstAt: string | null;
  /** When the last one ended; null while it holds. */
  lastAt: string | null;
};

/** The lowest prices that the offer has had in the region. */
export type PriceLows = {
  /** Since when there are prices that count; null when there are none. */
  since: string | null;
  /** The lowest price of all that time; null when none of that time counts. */
  ever: PriceLow | null;
  /** The lowest price of the last 365 days; null when none of that time counts. */
  days365: PriceLow | null;
  /** The lowest price of the last 90 days; null when none of that time counts. */
  days90: PriceLow | null;
  /** The lowest price of the last 30 days; null when none of that time counts. */
  days30: PriceLow | null;
  /** Null while the price is not reduced, or the offer is given away. */
  reduction: PriceReduction | null;
  /** What is on record and was left out: `giveaway`, prices of nothing for something that has a price; `beforeRelease`, prices from before the offer's release date; `otherCurrency`, prices in another currency than the present one. Empty when all count. */
  exclusions: ("giveaway" | "beforeRelease" | "otherCurrency")[];
};

/** The price of an offer in a pricing region. */
export type PricePoint = {
  /** The offer. */
  offerId: string;
  /** Pricing region. */
  region: string;
  price: Price;
  /** When this price was set. */
  updatedAt: string | null;
  /** Where the discount comes from. */
  appliedRules: AppliedRule[];
  /** The lowest prices; only with `lows=true`. */
  lows?: PriceLows | undefined;
};

/** What was before the price was reduced. */
export type PriceReduction = {
  /** When the reduction began: of one that falls in steps, the first of them. */
  since: string | null;
  /** The last price before it, in minor units; null when none counts. */
  priceBefore: number | null;
  /** The lowest price of the 30 days before it, in minor units, as directive 98/6/EC (article 6a) asks shops to show; null when none counts. */
  lowest30DaysBefore: number | null;
};

/** What the found offers cost in the region, in minor units; null when none does. */
export type PriceStats = {
  /** Found offers with a price. */
  count: number;
  /** Lowest. */
  min: number | null;
  /** Highest. */
  max: number | null;
  /** Mean. */
  avg: number | null;
};

/** A store listing with its price in one region. */
export type PricedOffer = {
  /** Id of the offer. */
  id: string;
  /** Sandbox of the offer. */
  namespace: string | null;
  /** Name of the offer. */
  title: string | null;
  /** A sentence or two. */
  description: string | null;
  /** Text of the product page, which may hold markup. */
  longDescription: string | null;
  /** `BASE_GAME`, `DLC`, `ADD_ON`, `EDITION`, `BUNDLE`, `CONSUMABLE` or another. */
  offerType: string | null;
  /** Name of the developer. */
  developerDisplayName: string | null;
  /** Name of the publisher. */
  publisherDisplayName: string | null;
  /** Who sells the offer; null when unknown. */
  seller: Seller | null;
  /** Genres, features and other tags. */
  tags: OfferTag[];
  /** Pages of the storefront that show the offer. */
  offerMappings: OfferMapping[];
  /** Slug of the product page. */
  productSlug: string | null;
  /** Slug that old addresses use. */
  urlSlug: string | null;
  /** Address of the product page, as the source gives it. */
  url: string | null;
  /** Pictures, in the order of the source. */
  keyImages: KeyImage[];
  /** When it is released on any platform. */
  releaseDate: string | null;
  /** When the offer was last changed. */
  lastModifiedDate: string | null;
  /** State of the record at its source. */
  status: string | null;
  /** From when the offer counts. */
  effectiveDate: string | null;
  /** When the offer was made. */
  creationDate: string | null;
  /** When it is released on desktop. */
  pcReleaseDate: string | null;
  /** From when the storefront shows it. */
  viewableDate: string | null;
  /** A code is the only way to get it. */
  isCodeRedemptionOnly: boolean | null;
  /** It can be bought before its release. */
  prePurchase: boolean | null;
  /** What a buyer gets. */
  items: OfferItem[];
  /** Further values, in the order of the source. */
  customAttributes: CustomAttribute[];
  /** Paths of its categories. */
  categories: string[];
  /** Countries where it is not sold, as ISO 3166-1 alpha-2 codes. */
  countriesBlacklist: string[];
  /** The only countries where it is sold; empty when there is no such list. */
  countriesWhitelist: string[];
  /** Whether it can be given back. */
  refundType: string | null;
  /** Offers that it bundles. */
  collectionOfferIds: string[];
  /** The locale asked for. */
  locale: string;
  /** `canonical`: the canonical locale was asked for; `localized`: the texts of the locale are laid over; `fallback`: there are none, the texts are canonical. */
  localeStatus: "canonical" | "localized" | "fallback";
  /** Locale of the canonical texts; absent when it is the one asked for. */
  canonicalLocale?: string | undefined;
  localization?: Localization | undefined;
  /** The price in the request's region; null when there is none. */
  price: PricePoint | null;
};

/** A saved query. */
export type Query = {
  /** Id of the saved query: 32 hexadecimal digits, the same for all bodies that ask for the same. */
  id: string;
  query: SavedQuery;
};

/** An offer that entered or left a saved query. */
export type QueryEvent = {
  /** Id of the event. */
  id: string;
  /** Whether the query finds it now, or no longer. */
  type: "entered" | "left";
  /** The offer. */
  offerId: string;
  /** When it was seen. */
  date: string;
};

/** What `webhooks.redeliverWebhook` takes. */
export type RedeliverWebhookInput = {
  /** Id of the webhook. */
  id: string;
  /** Id of the delivery. */
  deliveryId: string;
};

/** Where one price list applies. */
export type Region = {
  /** Code; not always a country's. */
  region: string;
  /** ISO 4217. */
  currencyCode: string;
  /** Decimals of the currency's amounts, which are in minor units: with 2, 1999 is 19.99. */
  currencyDecimals: number;
  /** ISO 3166-1 alpha-2. */
  countries: string[];
};

/** The price of an offer in a pricing region. Without `fields` it has every member. */
export type RegionalPrice = {
  /** The offer. */
  offerId?: string | undefined;
  /** Pricing region. */
  region: string;
  price?: Price | undefined;
  /** When this price was set. */
  updatedAt?: string | null | undefined;
  /** Where the discount comes from. */
  appliedRules?: AppliedRule[] | undefined;
  /** The lowest prices; only with `lows=true`. */
  lows?: PriceLows | undefined;
};

/** One release of an item's application. */
export type ReleaseInfo = {
  /** Id of the release. */
  id: string | null;
  /** Name of the application; builds carry it as `appName`. */
  appId: string | null;
  /** Platforms of the release. */
  platform: string[];
  /** When the release was added. */
  dateAdded: string | null;
};

/** What `catalog.resolveSlugs` takes. */
export type ResolveSlugsInput = {
  /** Slugs to resolve. */
  slugs: string[];
};

/** A player's opinion of an offer. A null member is unknown. */
export type Review = {
  /** Id of the review. */
  id: string;
  /** 0 (worst) to 10 (best). */
  rating: number | null;
  /** Headline. */
  title: string | null;
  /** The review. */
  content: string | null;
  /** What the author chose to say in a word. */
  tags: string[];
  /** Whether the author recommends the product. */
  recommended: boolean | null;
  /** The author is known to own the product. */
  verified: boolean | null;
  /** When the review was written. */
  createdAt: string | null;
  /** When the review was last changed. */
  updatedAt: string | null;
  user: ReviewUser;
};

/** A page of reviews, newest first. */
export type ReviewPage = {
  /** The reviews of the page. */
  elements: Review[];
  /** Page number, one-based. */
  page: number;
  /** Most records on a page, as applied. */
  limit: number;
  /** Number of matching reviews on all pages. */
  total: number;
  /** Ratings of the matching reviews on all pages; null while the reviews service is too old to give them. */
  reviewSummary: ReviewSummary | null;
};

/** Ratings of reviews; a rating of 0 is none. */
export type ReviewSummary = {
  /** Number of rated reviews. */
  count: number;
  /** Mean, to two decimals; null when there is none. */
  average: number | null;
  /** How many rate it 1, 2, and so on up to 10; a fraction counts below. */
  histogram: number[];
};

/** Who wrote a review. */
export type ReviewUser = {
  /** Id of the author. */
  id: string | null;
  /** Name that the author goes by. */
  displayName: string | null;
  /** Address of the author's picture. */
  avatarUrl: string | null;
};

/** What `webhooks.rotateWebhookSecret` takes. */
export type RotateWebhookSecretInput = {
  /** Id of the webhook. */
  id: string;
};

/** A new secret. The previous one signs too for 24 hours. */
export type RotatedSecret = {
  /** Signs its deliveries, by Standard Webhooks; only this response has it. */
  secret: string;
};

/** The room in which a product's offers and items live. */
export type Sandbox = {
  /** Id of the sandbox; the namespace where it has no other. */
  _id: string;
  /** The same as `_id`. */
  id: string;
  /** Name that offers and items carry. */
  namespace: string;
  /** Title for people. */
  title: string | null;
  /** Name for people, where it differs from the title. */
  displayName: string | null;
  /** When the sandbox was last changed. */
  updated: string | null;
  /** State of the record at its source. */
  status: string | null;
  /** Storefront of the sandbox. */
  store: string | null;
  /** Slug of the product page. */
  slug: string | null;
  /** When the sandbox was made. */
  createdAt: string | null;
};

/** An installable artifact of an item on a platform. */
export type SandboxAsset = {
  /** Name of the application; the changelog uses it as the id. */
  artifactId: string;
  /** The item that the asset belongs to. */
  itemId: string | null;
  /** Sandbox of the asset. */
  namespace: string;
  /** What it runs on. */
  platform: string;
  /** Name of the asset. */
  title: string | null;
  /** Bytes to download. */
  downloadSizeBytes: number | null;
  /** Bytes on disk. */
  installedSizeBytes: number | null;
  /** When the asset was last changed. */
  updatedAt: string | null;
  /** Id of the asset at its source. */
  id: string | null;
};

/** A page of assets, newest change first. */
export type SandboxAssetPage = {
  /** The assets of the page. */
  elements: SandboxAsset[];
  /** Page number, one-based. */
  page: number;
  /** Most records on a page, as applied. */
  limit: number;
  /** Number of matching assets on all pages. */
  count: number;
};

/** A page of a sandbox's changes, newest first. */
export type SandboxEntryPage = {
  /** The entries of the page. */
  hits: ChangelogEntry[];
  /** Number of matching entries on all pages; exact without a text. */
  estimatedTotalHits: number;
  /** Milliseconds it took. */
  processingTimeMs: number;
  /** The text searched for, trimmed. */
  query: string;
  /** Most records on a page, as applied. */
  limit: number;
  /** Number of entries on the pages before. */
  offset: number;
};

/** A part of all sandboxes. */
export type SandboxListing = {
  /** By id. */
  sandboxes: Sandbox[];
  /** What `after` takes for the next part; null at the end. */
  next: string | null;
};

/** A page of offers, newest change first. */
export type SandboxOfferPage = {
  /** The offers of the page, without prices. */
  elements: Offer[];
  /** Page number, one-based. */
  page: number;
  /** Most records on a page, as applied. */
  limit: number;
  /** Number of matching offers on all pages. */
  count: number;
};

/** What `search.saveQuery` takes. */
export type SaveQueryInput = {
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
  /** Words that an offer must have, all of them; the last may be the beginning of one, and words of 4 letters may be misspelt in one place, of 8 in two. A blank text is none. */
  title?: string | undefined;
  /** A type, or several, any of them. */
  offerType?: string | string[] | undefined;
  /** Ids of tags, all of them. */
  tags?: string[] | undefined;
  /** Technologies, all of them; trimmed, and duplicates ignored. */
  technologies?: string[] | undefined;
  /** Category paths, any of them. */
  categories?: string[] | undefined;
  /** Attribute keys, any of them. */
  customAttributes?: string[] | undefined;
  /** Id of the seller. */
  seller?: string | undefined;
  /** The developer, exactly. */
  developerDisplayName?: string | undefined;
  /** The publisher, exactly. */
  publisherDisplayName?: string | undefined;
  /** The refund type, exactly. */
  refundType?: string | undefined;
  /** Whether a code is the only way to get it; false includes unknown. */
  isCodeRedemptionOnly?: boolean | undefined;
  price?: PriceBounds | undefined;
  /** True: discounted in the region. False: not, those without a price included. */
  onSale?: boolean | undefined;
  /** True: discounted in the region, and as cheap there as ever on record. False is as absent. */
  isLowestPrice?: boolean | undefined;
  /** Only offers whose present price in the region is the lowest of that time, as their `lows` say: released, and not given away. Also one that was never higher. */
  lowestPriceOf?: "ever" | "days365" | "days90" | "days30" | undefined;
  /** Only offers with ratings, whose mean is this or more. */
  minRating?: number | undefined;
  /** True: drops offers whose attribute `isBlockchainUsed` is true. */
  excludeBlockchain?: boolean | undefined;
  /** True: only offers with a giveaway that has started. */
  pastGiveaways?: boolean | undefined;
  /** Without it, relevance when there is a `title`, else `lastModifiedDate`. A missing value is last in both directions. `priceAsc` and `priceDesc` disregard `sortDir`; `releaseDate`, `upcoming`, `giveawayDate` and `lowestFor` narrow what is found. `rating` is the mean of the offer's ratings and of five more, each of which is the mean of all ratings. */
  sortBy?: "releaseDate" | "lastModifiedDate" | "effectiveDate" | "creationDate" | "viewableDate" | "pcReleaseDate" | "upcoming" | "priceAsc" | "priceDesc" | "price" | "discount" | "discountPercent" | "priceUpdatedAt" | "giveawayDate" | "lowestFor" | "rating" | undefined;
  /** Default `desc`; for `upcoming` that is nearest first, for `lowestFor` longest first. */
  sortDir?: "asc" | "desc" | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most offers on a page. Default: 10. */
  limit?: number | undefined;
};

/** A search's body in its canonical form: lists are sorted and without duplicates, what is the default is absent. */
export type SavedQuery = {
  /** Words that an offer must have, all of them; the last may be the beginning of one, and words of 4 letters may be misspelt in one place, of 8 in two. A blank text is none. */
  title?: string | undefined;
  /** Any of these types. */
  offerType?: string[] | undefined;
  /** Ids of tags, all of them. */
  tags?: string[] | undefined;
  /** Technologies, all of them; trimmed, and duplicates ignored. */
  technologies?: string[] | undefined;
  /** Category paths, any of them. */
  categories?: string[] | undefined;
  /** Attribute keys, any of them. */
  customAttributes?: string[] | undefined;
  /** Id of the seller. */
  seller?: string | undefined;
  /** The developer, exactly. */
  developerDisplayName?: string | undefined;
  /** The publisher, exactly. */
  publisherDisplayName?: string | undefined;
  /** The refund type, exactly. */
  refundType?: string | undefined;
  /** Whether a code is the only way to get it; false includes unknown. */
  isCodeRedemptionOnly?: boolean | undefined;
  price?: PriceBounds | undefined;
  /** True: discounted in the region. False: not, those without a price included. */
  onSale?: boolean | undefined;
  /** True: discounted in the region, and as cheap there as ever on record. False is as absent. */
  isLowestPrice?: boolean | undefined;
  /** Only offers whose present price in the region is the lowest of that time, as their `lows` say: released, and not given away. Also one that was never higher. */
  lowestPriceOf?: "ever" | "days365" | "days90" | "days30" | undefined;
  /** Only offers with ratings, whose mean is this or more. */
  minRating?: number | undefined;
  /** True: drops offers whose attribute `isBlockchainUsed` is true. */
  excludeBlockchain?: boolean | undefined;
  /** True: only offers with a giveaway that has started. */
  pastGiveaways?: boolean | undefined;
  /** Without it, relevance when there is a `title`, else `lastModifiedDate`. A missing value is last in both directions. `priceAsc` and `priceDesc` disregard `sortDir`; `releaseDate`, `upcoming`, `giveawayDate` and `lowestFor` narrow what is found. `rating` is the mean of the offer's ratings and of five more, each of which is the mean of all ratings. */
  sortBy?: "releaseDate" | "lastModifiedDate" | "effectiveDate" | "creationDate" | "viewableDate" | "pcReleaseDate" | "upcoming" | "priceAsc" | "priceDesc" | "price" | "discount" | "discountPercent" | "priceUpdatedAt" | "giveawayDate" | "lowestFor" | "rating" | undefined;
  /** Default `desc`; for `upcoming` that is nearest first, for `lowestFor` longest first. */
  sortDir?: "asc" | "desc" | undefined;
};

/** A page of found offers, and the id of the query. */
export type SavedQueryPage = {
  /** Those of the page that still exist, each with its price. */
  elements: PricedOffer[];
  /** Page number, one-based. */
  page: number;
  /** Most records on a page, as applied. */
  limit: number;
  /** Number of found offers on all pages. */
  total: number;
  /** Id of the saved query: 32 hexadecimal digits, the same for all bodies that ask for the same. */
  query: string;
};

/** What `changelog.searchEntries` takes. */
export type SearchEntriesInput = {
  /** Words that an entry must have, all of them; without any, every entry matches. Default: "". */
  query?: string | undefined;
  /** Only changes of this context type, exactly. */
  type?: string | undefined;
  /** Only changes with this context id, exactly. */
  id?: string | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most records on a page; a value above 50 is lowered to 50. Default: 10. */
  limit?: number | undefined;
};

/** How the response was made. */
export type SearchMeta = {
  /** Milliseconds that the search engine took. */
  ms: number;
  /** The engine stopped before it had seen everything. */
  timed_out: boolean;
  /** The response was cached. */
  cached: boolean;
  /** Values of filters that nothing has; absent when all are known. */
  unknown?: UnknownValue[] | undefined;
};

/** What `search.searchOffersByMeaning` takes. */
export type SearchOffersByMeaningInput = {
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
  /** What is looked for, in the words of a person. */
  query: string;
  /** Most matches. Default: 10. */
  topK?: number | undefined;
  /** Whether to count over the matches in the response. Default: false. */
  aggregations?: boolean | undefined;
  /** Words that an offer must have, all of them; the last may be the beginning of one, and words of 4 letters may be misspelt in one place, of 8 in two. A blank text is none. */
  title?: string | undefined;
  /** A type, or several, any of them. */
  offerType?: string | string[] | undefined;
  /** Ids of tags, all of them. */
  tags?: string[] | undefined;
  /** Technologies, all of them; trimmed, and duplicates ignored. */
  technologies?: string[] | undefined;
  /** Category paths, any of them. */
  categories?: string[] | undefined;
  /** Attribute keys, any of them. */
  customAttributes?: string[] | undefined;
  /** Id of the seller. */
  seller?: string | undefined;
  /** The developer, exactly. */
  developerDisplayName?: string | undefined;
  /** The publisher, exactly. */
  publisherDisplayName?: string | undefined;
  /** The refund type, exactly. */
  refundType?: string | undefined;
  /** Whether a code is the only way to get it; false includes unknown. */
  isCodeRedemptionOnly?: boolean | undefined;
  price?: PriceBounds | undefined;
  /** True: discounted in the region. False: not, those without a price included. */
  onSale?: boolean | undefined;
  /** True: discounted in the region, and as cheap there as ever on record. False is as absent. */
  isLowestPrice?: boolean | undefined;
  /** Only offers whose present price in the region is the lowest of that time, as their `lows` say: released, and not given away. Also one that was never higher. */
  lowestPriceOf?: "ever" | "days365" | "days90" | "days30" | undefined;
  /** Only offers with ratings, whose mean is this or more. */
  minRating?: number | undefined;
  /** True: drops offers whose attribute `isBlockchainUsed` is true. */
  excludeBlockchain?: boolean | undefined;
  /** True: only offers with a giveaway that has started. */
  pastGiveaways?: boolean | undefined;
};

/** What `search.searchOffers` takes. */
export type SearchOffersInput = {
  /** ISO 3166-1 alpha-2 code, any case, that chooses the pricing region. When absent, the cookie `CATALOG_COUNTRY`, then the default country, `US` unless configured. */
  country?: string | undefined;
  /** Locale whose texts are laid over the offers; where an offer has none for exactly this locale its texts stay canonical. Default: "en-US". */
  locale?: string | undefined;
  /** Whether prices come with the lowest prices on record, as `lows`. Default: false. */
  lows?: boolean | undefined;
  /** Words that an offer must have, all of them; the last may be the beginning of one, and words of 4 letters may be misspelt in one place, of 8 in two. A blank text is none. */
  title?: string | undefined;
  /** A type, or several, any of them. */
  offerType?: string | string[] | undefined;
  /** Ids of tags, all of them. */
  tags?: string[] | undefined;
  /** Technologies, all of them; trimmed, and duplicates ignored. */
  technologies?: string[] | undefined;
  /** Category paths, any of them. */
  categories?: string[] | undefined;
  /** Attribute keys, any of them. */
  customAttributes?: string[] | undefined;
  /** Id of the seller. */
  seller?: string | undefined;
  /** The developer, exactly. */
  developerDisplayName?: string | undefined;
  /** The publisher, exactly. */
  publisherDisplayName?: string | undefined;
  /** The refund type, exactly. */
  refundType?: string | undefined;
  /** Whether a code is the only way to get it; false includes unknown. */
  isCodeRedemptionOnly?: boolean | undefined;
  price?: PriceBounds | undefined;
  /** True: discounted in the region. False: not, those without a price included. */
  onSale?: boolean | undefined;
  /** True: discounted in the region, and as cheap there as ever on record. False is as absent. */
  isLowestPrice?: boolean | undefined;
  /** Only offers whose present price in the region is the lowest of that time, as their `lows` say: released, and not given away. Also one that was never higher. */
  lowestPriceOf?: "ever" | "days365" | "days90" | "days30" | undefined;
  /** Only offers with ratings, whose mean is this or more. */
  minRating?: number | undefined;
  /** True: drops offers whose attribute `isBlockchainUsed` is true. */
  excludeBlockchain?: boolean | undefined;
  /** True: only offers with a giveaway that has started. */
  pastGiveaways?: boolean | undefined;
  /** Without it, relevance when there is a `title`, else `lastModifiedDate`. A missing value is last in both directions. `priceAsc` and `priceDesc` disregard `sortDir`; `releaseDate`, `upcoming`, `giveawayDate` and `lowestFor` narrow what is found. `rating` is the mean of the offer's ratings and of five more, each of which is the mean of all ratings. */
  sortBy?: "releaseDate" | "lastModifiedDate" | "effectiveDate" | "creationDate" | "viewableDate" | "pcReleaseDate" | "upcoming" | "priceAsc" | "priceDesc" | "price" | "discount" | "discountPercent" | "priceUpdatedAt" | "giveawayDate" | "lowestFor" | "rating" | undefined;
  /** Default `desc`; for `upcoming` that is nearest first, for `lowestFor` longest first. */
  sortDir?: "asc" | "desc" | undefined;
  /** One-based page number. Default: 1. */
  page?: number | undefined;
  /** Most offers on a page. Default: 10. */
  limit?: number | undefined;
  /** The `next` of an earlier response to the same filter, sort and country; `limit` may differ. Not with `page`. */
  cursor?: string | undefined;
  /** Whether to count over all pages. Without it `aggregations` is empty, but for what `facetQuery` asks for: for another page, or another order, of what was counted before. Default: true. */
  aggregations?: boolean | undefined;
  /** Whether `offerType`, `developer`, `publisher` and `seller` are counted without their own filter, so that another value can be chosen, and `price_stats` without the bounds of the price. `tags` and `technologies`, whose filters require all values, are counted over the result. Default: false. */
  disjunctiveAggregations?: boolean | undefined;
  facetQuery?: FacetQuery | undefined;
  /** Whether found offers have `highlights`: what the words of `title` matched in their titles and descriptions. Without words there are none. Default: false. */
  highlight?: boolean | undefined;
};

/** Who sells an offer. */
export type Seller = {
  /** Id of the seller. */
  id: string | null;
  /** Name of the seller. */
  name: string | null;
};

/** A page of sellers. */
export type SellerPage = {
  /** Those of the page. */
  sellers: ListedSeller[];
  /** Page number, one-based. */
  page: number;
  /** Most records on a page, as applied. */
  limit: number;
  /** Number of sellers on all pages. */
  total: number;
};

/** What stands behind a slug. */
export type SlugMapping = {
  /** As submitted. */
  slug: string;
  /** Id of the offer; null when unknown. */
  id: string | null;
  /** Sandbox of the offer; null when unknown. */
  namespace: string | null;
};

/** What `search.suggest` takes. */
export type SuggestInput = {
  /** What was typed; nothing is suggested without it. Default: "". */
  query?: string | undefined;
  /** Most suggestions. Default: 8. */
  limit?: number | undefined;
};

/** What may be searched for. */
export type Suggestion = {
  /** The text. */
  text: string;
  /** The offer of a title. */
  offerId?: string | undefined;
  /** Of a seller or tag: what filters take. */
  id?: string | undefined;
  /** What it is. */
  kind: "title" | "seller" | "tag" | "correction";
};

/** Suggestions for a search box. */
export type Suggestions = {
  /** In this order: a correction, titles, sellers, tags. */
  suggestions: Suggestion[];
};

/** The tags. */
export type TagList = {
  /** Most offers first, then by id. */
  tags: ListedTag[];
};

/** What `webhooks.testWebhook` takes. */
export type TestWebhookInput = {
  /** Id of the webhook. */
  id: string;
};

/** A value of a filter that nothing has. */
export type UnknownValue = {
  /** The member of the body. */
  filter: "technologies" | "offerType" | "tags" | "developerDisplayName" | "publisherDisplayName" | "seller";
  /** The value. */
  value: string;
  /** What may have been meant, nearest first; at most five. */
  nearest: NearValue[];
};

/** What `webhooks.updateWebhook` takes. */
export type UpdateWebhookInput = {
  /** Id of the webhook. */
  id: string;
  /** False pauses the webhook. */
  active?: boolean | undefined;
  /** An `https` address, public unless the operator permits others; without user, password and fragment. Redirects are not followed. */
  url?: string | undefined;
  /** For people. */
  description?: string | undefined;
};

/** What `changelog.watchEntries` takes. */
export type WatchEntriesInput = {
  /** Begin with the next change in the log; `Last-Event-ID` takes precedence. Without either the stream begins with the next stored change. 404 when this one, or one before it, was undone since: restart without it. */
  after?: string | undefined;
};

/** What `pricing.watchPriceChanges` takes. */
export type WatchPriceChangesInput = {
  /** Code of a pricing region, any case; all when absent. */
  region?: string | undefined;
  /** Begin after this change in the log, or after the `next` of `listPriceChanges`; `Last-Event-ID` takes precedence. Without either the stream begins with the next stored change. 404 when the log does not have it, or not all changes after it any more: restart without it. */
  after?: string | undefined;
};

/** An endpoint, and what it receives. */
export type Webhook = {
  /** Id of the webhook. */
  id: string;
  /** Where webhooks are posted to. */
  url: string;
  /** What it receives. */
  events: ("entry" | "price" | "query")[];
  /** Saved query of `query`; null without. */
  queryId: string | null;
  /** Country of the prices; null for prices of all regions, and for queries in the default country. */
  country: string | null;
  /** For people; null when there is none. */
  description: string | null;
  /** Whether events are sent. While it is paused they are stored for three days. */
  active: boolean;
  /** Why the service paused it; null when a caller did, and while it is active. */
  pausedReason: string | null;
  /** When the first attempt failed since the last success; null otherwise. */
  failingSince: string | null;
  /** When it was created. */
  createdAt: string | null;
};

/** One event for one webhook. */
export type WebhookDelivery = {
  /** The `webhook-id` header. */
  id: string;
  /** `entry.created`, `price.changed`, `query.matched` or `webhook.test`. */
  type: string;
  /** `failed` after three days of retries. */
  status: "pending" | "delivered" | "failed";
  /** Requests that were made. */
  attempts: number;
  /** Status of the last response; null without one. */
  responseStatus: number | null;
  /** When the last request was made; null before the first. */
  lastAttemptAt: string | null;
  /** When the next request is due; null unless it is pending. */
  nextAttemptAt: string | null;
};

/** A part of the deliveries. */
export type WebhookDeliveryPage = {
  /** Newest first. */
  deliveries: WebhookDelivery[];
  /** What `after` takes for the next part; null at the end. */
  next: string | null;
};

/** The webhooks. */
export type WebhookList = {
  /** Oldest first. */
  webhooks: Webhook[];
};

/** Input and result of every operation, by domain and name. */
export type CatalogOperations = {
  catalog: {
    /** Get a sandbox. */
    getSandbox: { input: GetSandboxInput; output: Sandbox };
    /** List sandboxes. */
    listSandboxes: { input: ListSandboxesInput | void; output: SandboxListing };
    /** List the assets of a sandbox. */
    listSandboxAssets: { input: ListSandboxAssetsInput; output: SandboxAssetPage };
    /** List the offers of a sandbox. */
    listSandboxOffers: { input: ListSandboxOffersInput; output: SandboxOfferPage };
    /** List all items. */
    listItems: { input: ListItemsInput | void; output: ItemPage };
    /** Get an item. */
    getItem: { input: GetItemInput; output: Item };
    /** Get the offer of an item. */
    getItemOffer: { input: GetItemOfferInput; output: Offer };
    /** List the builds of an item. */
    listItemBuilds: { input: ListItemBuildsInput; output: Build[] };
    /** Get an offer. */
    getOffer: { input: GetOfferInput; output: PricedOffer };
    /** List offers. */
    listOffers: { input: ListOffersInput | void; output: OfferListing };
    /** Get an offer and everything about it. */
    getOfferOverview: { input: GetOfferOverviewInput; output: OfferOverview };
    /** List the offers that an offer bundles. */
    listOfferCollection: { input: ListOfferCollectionInput; output: PricedOffer[] };
    /** Resolve store slugs. */
    resolveSlugs: { input: ResolveSlugsInput; output: SlugMapping[] };
    /** Check whether offers exist. */
    checkOffersExist: { input: CheckOffersExistInput; output: OfferExistence };
    /** Get many offers. */
    batchGetOffers: { input: BatchGetOffersInput; output: OfferBatch };
  };
  pricing: {
    /** Get the price of an offer. */
    getPrice: { input: GetPriceInput; output: PricePoint };
    /** List the prices that an offer has had. */
    listPriceHistory: { input: ListPriceHistoryInput; output: PriceHistoryPage };
    /** List featured discounts. */
    listFeaturedDiscounts: { input: ListFeaturedDiscountsInput | void; output: FeaturedOffer[] };
    /** List giveaways. */
    listFreeGames: { input: ListFreeGamesInput | void; output: FreeGamePage };
    /** List current mobile giveaways. */
    listMobileFreeGames: { input: ListMobileFreeGamesInput | void; output: MobileFreeGame[] };
    /** List the sellers of free games. */
    listFreeGameSellers: { input: Record<string, never> | void; output: FreeGameSeller[] };
    /** List the pricing regions. */
    listRegions: { input: Record<string, never> | void; output: Region[] };
    /** List the prices of an offer in all regions. */
    listOfferPrices: { input: ListOfferPricesInput; output: OfferPrices };
    /** List changes of prices. */
    listPriceChanges: { input: ListPriceChangesInput | void; output: PriceChangePage };
    /** Follow the changes of prices. */
    watchPriceChanges: { kind: "subscription"; input: WatchPriceChangesInput | void; output: PriceChange };
  };
  reviews: {
    /** List the reviews of an offer. */
    listReviews: { input: ListReviewsInput; output: ReviewPage };
  };
  changelog: {
    /** List changes. */
    listEntries: { input: ListEntriesInput | void; output: ChangelogEntry[] };
    /** Get a change. */
    getEntry: { input: GetEntryInput; output: ChangelogEntry };
    /** List the changes in a sandbox. */
    listSandboxEntries: { input: ListSandboxEntriesInput; output: SandboxEntryPage };
    /** List the changes of an item. */
    listItemEntries: { input: ListItemEntriesInput; output: ChangelogEntry[] };
    /** Search the changelog. */
    searchEntries: { input: SearchEntriesInput | void; output: EntrySearchPage };
    /** Follow the changes. */
    watchEntries: { kind: "subscription"; input: WatchEntriesInput | void; output: ChangelogEntry };
  };
  search: {
    /** Search offers. */
    searchOffers: { input: SearchOffersInput | void; output: OfferSearchPage };
    /** Search offers by URL. */
    findOffers: { input: FindOffersInput | void; output: OfferSearchPage };
    /** Save a query. */
    createQuery: { kind: "mutation"; input: CreateQueryInput | void; output: CreatedQuery };
    /** Get a saved query. */
    getQuery: { input: GetQueryInput; output: Query };
    /** Count what a saved query finds. */
    countQuery: { input: CountQueryInput; output: FacetCounts };
    /** Search offers and save the query. */
    saveQuery: { kind: "mutation"; input: SaveQueryInput | void; output: SavedQueryPage };
    /** Get the body of a saved query. */
    getSavedQuery: { input: GetSavedQueryInput; output: SavedQuery };
    /** Count what a saved query finds. */
    countFacets: { input: CountFacetsInput; output: FacetCounts };
    /** List the tags of offers. */
    listTags: { input: Record<string, never> | void; output: TagList };
    /** List the sellers of offers. */
    listSellers: { input: ListSellersInput | void; output: SellerPage };
    /** Suggest searches. */
    suggest: { input: SuggestInput | void; output: Suggestions };
    /** Search offers by meaning. */
    searchOffersByMeaning: { input: SearchOffersByMeaningInput; output: MeaningMatches };
    /** Follow a saved query. */
    followQuery: { kind: "subscription"; input: FollowQueryInput; output: QueryEvent };
  };
  webhooks: {
    /** Create a webhook. */
    createWebhook: { kind: "mutation"; input: CreateWebhookInput; output: CreatedWebhook };
    /** List the webhooks. */
    listWebhooks: { input: Record<string, never> | void; output: WebhookList };
    /** Get a webhook. */
    getWebhook: { input: GetWebhookInput; output: Webhook };
    /** Change a webhook. */
    updateWebhook: { kind: "mutation"; input: UpdateWebhookInput; output: Webhook };
    /** Delete a webhook. */
    deleteWebhook: { kind: "mutation"; input: DeleteWebhookInput; output: null };
    /** Send a test. */
    testWebhook: { kind: "mutation"; input: TestWebhookInput; output: WebhookDelivery };
    /** Replace the secret of a webhook. */
    rotateWebhookSecret: { kind: "mutation"; input: RotateWebhookSecretInput; output: RotatedSecret };
    /** List the deliveries of a webhook. */
    listWebhookDeliveries: { input: ListWebhookDeliveriesInput; output: WebhookDeliveryPage };
    /** Repeat a delivery. */
    redeliverWebhook: { kind: "mutation"; input: RedeliverWebhookInput; output: WebhookDelivery };
  };
  health: {
    /** Check the health of the system. */
    checkHealth: { input: Record<string, never> | void; output: Health };
  };
};
