/** An offer as @grpc/proto-loader returns it; unset members are absent. */
export interface OfferMessage {
  id: string;
  namespace?: string;
  title?: string;
  description?: string;
  longDescription?: string;
  offerType?: string;
  status?: string;
  effectiveDate?: string;
  creationDate?: string;
  lastModifiedDate?: string;
  releaseDate?: string;
  pcReleaseDate?: string;
  viewableDate?: string;
  isCodeRedemptionOnly?: boolean;
  prePurchase?: boolean;
  keyImages: { type?: string; url?: string; width?: number; height?: number; md5?: string }[];
  seller?: { id?: string; name?: string };
  developerDisplayName?: string;
  publisherDisplayName?: string;
  productSlug?: string;
  urlSlug?: string;
  url?: string;
  offerMappings: { pageSlug?: string; pageType?: string }[];
  tags: { id: string; name?: string }[];
  items: { id: string; namespace?: string }[];
  customAttributes: { key: string; type?: string; value?: string }[];
  categories: string[];
  countriesBlacklist: string[];
  countriesWhitelist: string[];
  refundType?: string;
  collectionOfferIds: string[];
  locale: string;
  localeStatus: string;
}

/** A price likewise. An amount of zero is absent, as proto3 leaves it out. */
export interface PriceMessage {
  offerId: string;
  region: string;
  price?: {
    currencyCode?: string;
    currencyDecimals?: number;
    originalPrice?: number;
    discountPrice?: number;
    discount?: number;
    percentOff?: number;
  };
  updatedAt?: string;
  appliedRules: {
    id?: string;
    name?: string;
    startDate?: string;
    endDate?: string;
    discountPercentage?: number;
    percentOff?: number;
  }[];
}

export interface PricedOfferMessage {
  offer: OfferMessage;
  price?: PriceMessage;
}
