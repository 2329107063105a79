// The members of the records of docs/import-format.md that the model reads. Written from there, not
// from the product, so that the two can disagree.

type Maybe<T> = T | null | undefined;

export interface OfferRecord {
  id: string;
  namespace?: Maybe<string>;
  title?: Maybe<string>;
  offerType?: Maybe<string>;
  prePurchase?: Maybe<boolean>;
  creationDate?: Maybe<string>;
  lastModifiedDate?: Maybe<string>;
  releaseDate?: Maybe<string>;
  effectiveDate?: Maybe<string>;
  viewableDate?: Maybe<string>;
  pcReleaseDate?: Maybe<string>;
  isCodeRedemptionOnly?: Maybe<boolean>;
  refundType?: Maybe<string>;
  developerDisplayName?: Maybe<string>;
  publisherDisplayName?: Maybe<string>;
  tags?: Maybe<{ id: string; name?: Maybe<string> }[]>;
  categories?: Maybe<string[]>;
  customAttributes?: Maybe<{ key: string; value?: Maybe<string> }[]>;
  productSlug?: Maybe<string>;
  urlSlug?: Maybe<string>;
  offerMappings?: Maybe<{ pageSlug?: Maybe<string> }[]>;
  items?: Maybe<{ id: string }[]>;
  seller?: Maybe<{ id?: Maybe<string>; name?: Maybe<string> }>;
  collectionOfferIds?: Maybe<string[]>;
  countriesBlacklist?: Maybe<string[]>;
  countriesWhitelist?: Maybe<string[]>;
  [member: string]: unknown;
}

export interface OfferTextRecord {
  offerId: string;
  locale: string;
  source?: Maybe<string>;
  fetchedAt?: Maybe<string>;
  sourceUpdatedAt?: Maybe<string>;
  [member: string]: unknown;
}

export interface ItemRecord {
  id: string;
  namespace?: Maybe<string>;
  lastModifiedDate?: Maybe<string>;
  entitlementType?: Maybe<string>;
  releaseInfo?: Maybe<{ appId?: Maybe<string> }[]>;
  [member: string]: unknown;
}

export interface SandboxRecord {
  id: string;
  [member: string]: unknown;
}

export interface AssetRecord {
  artifactId: string;
  platform: string;
  namespace: string;
  downloadSizeBytes?: Maybe<number>;
  installedSizeBytes?: Maybe<number>;
  updatedAt?: Maybe<string>;
  [member: string]: unknown;
}

export interface BuildRecord {
  id: string;
  appName?: Maybe<string>;
  labelName?: Maybe<string>;
  hash?: Maybe<string>;
  platform?: Maybe<string>;
  createdAt?: Maybe<string>;
  updatedAt?: Maybe<string>;
  firstSeenAt?: Maybe<string>;
  lastSeenAt?: Maybe<string>;
  downloadSizeBytes?: Maybe<number>;
  installedSizeBytes?: Maybe<number>;
  technologies?: Maybe<{ section?: Maybe<string>; technology?: Maybe<string> }[]>;
  manifest?: Maybe<{
    status?: Maybe<string>;
    canonicalHash?: Maybe<string>;
    sourceHash?: Maybe<string>;
  }>;
  [member: string]: unknown;
}

export interface TagRecord {
  id: string;
  name?: Maybe<string>;
  status?: Maybe<string>;
  groupName?: Maybe<string>;
}

export interface OfferDetailsRecord {
  offerId: string;
  media?: Maybe<object>;
  extdb?: Maybe<object>;
  polls?: Maybe<object>;
}

export interface AgeRatingRecord {
  namespace: string;
  ratingSystem: string;
  [member: string]: unknown;
}

export interface RankingRecord {
  collection: string;
  offerId: string;
  position: number;
}

export interface PriceRecord {
  offerId: string;
  region: string;
  price: { currencyCode: string; originalPrice: number; discountPrice: number };
  updatedAt?: Maybe<string>;
}

export interface GiveawayRecord {
  id: string;
  offerId?: Maybe<string>;
  namespace?: Maybe<string>;
  platform?: Maybe<string>;
  title?: Maybe<string>;
  startDate?: Maybe<string>;
  endDate?: Maybe<string>;
}

export interface ReviewRecord {
  id: string;
  offerId?: Maybe<string>;
  verified?: Maybe<boolean>;
  createdAt?: Maybe<string>;
  [member: string]: unknown;
}

/** The record type of each kind that the model reads; others are ignored. */
export interface RecordOf {
  offer: OfferRecord;
  offerText: OfferTextRecord;
  item: ItemRecord;
  sandbox: SandboxRecord;
  asset: AssetRecord;
  build: BuildRecord;
  tag: TagRecord;
  offerDetails: OfferDetailsRecord;
  ageRating: AgeRatingRecord;
  ranking: RankingRecord;
  price: PriceRecord;
  giveaway: GiveawayRecord;
  review: ReviewRecord;
}
