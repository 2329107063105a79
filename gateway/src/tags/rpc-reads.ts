import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import type { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import type { OfferOverviewSources } from "@storefront/contracts/catalog/v1/catalog_service";
import type { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import type { ListEntriesRequest } from "@storefront/contracts/changelog/v1/changelog_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import type { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import type { SearchService } from "@storefront/contracts/search/v1/search_service";
import { asLocale, asOfferId, asRegion } from "@storefront/domain/identifiers";
import * as tag from "./tags.ts";

/** Why a method has no tags. No feed vouches for a response that it is part of. */
type Unnamed =
  /** It is made of the search's index. */
  | "lags behind the feeds"
  /** Requests read what they looked up of a joined call, see `upstream/lookup-reads.ts`. */
  | "noted by its loader"
  /** Only operations call it whose responses are not cached. */
  | "not cached"
  | "not called";

/** The tags of what each method of a service reads. A new method fails the type check until it is listed. */
export type Readings<Methods extends MethodsOf<Methods>, Tag = string> = {
  readonly [Name in keyof Methods]:
    | Reading<Methods[Name]["input"], Methods[Name]["output"], Tag>
    | Unnamed;
};

export type MethodsOf<Methods> = { readonly [Name in keyof Methods]: DescMethod };

/** The tags of what a call read. */
export type Reading<Input extends DescMessage, Output extends DescMessage, Tag> = (
  request: MessageShape<Input>,
  response: MessageShape<Output>,
) => Iterable<Tag>;

export const catalogReads: Readings<typeof CatalogService.method> = {
  getSandbox: ({ sandboxId }) => [tag.sandboxTag(sandboxId)],
  listSandboxes: () => [tag.sandboxesTag],
  listSandboxAssets: ({ sandboxId }) => [tag.sandboxTag(sandboxId), tag.assetsInTag(sandboxId)],
  listSandboxOffers: ({ sandboxId, locale }, { offers }) => [
    tag.sandboxTag(sandboxId),
    tag.offersInTag(sandboxId),
    ...textTags(offers, locale),
  ],
  getOffer: "not called",
  listOffers: ({ locale }, { offers }) => [tag.offersTag, ...textTags(offers, locale)],
  batchGetOffers: "noted by its loader",
  getOfferOverview: ({ offerId }, { sources }) => [
    tag.offerTag(offerId),
    tag.offerDetailsTag(offerId),
    ...overviewTags(sources),
  ],
  listRankedOffers: () => [tag.rankingsTag, tag.offerTypesTag],
  countOffersBySeller: () => [tag.offersTag],
  listTags: () => [tag.tagRecordsTag],
  resolveSlugs: "not cached",
  checkOffersExist: "not cached",
  listItems: () => [tag.itemsTag],
  getItem: ({ itemId }) => [tag.itemTag(itemId)],
  batchGetItems: "not called",
  getItemOffer: ({ itemId, locale }, { offer }) => [
    tag.offersOfItemTag(itemId),
    ...(offer === undefined ? [] : [tag.offerTag(offer.id), ...textTags([offer], locale)]),
  ],
  listItemBuilds: ({ itemId }, { item }) => [
    tag.itemTag(itemId),
    ...(item?.releaseInfo ?? []).flatMap(({ appId = "" }) => [
      tag.buildsOfTag(appId),
      tag.assetTag(appId),
    ]),
  ],
  batchGetChangeContexts: "noted by its loader",
};

export const pricingReads: Readings<typeof PricingService.method> = {
  listRegions: "not cached",
  getPrice: "not called",
  // Of calls that no loader joins.
  batchGetPrices: ({ offerIds, region }) =>
    offerIds.map((offerId) => tag.priceTag(asOfferId(offerId), asRegion(region))),
  listOfferPrices: ({ offerId }) => [tag.pricesOfTag(offerId)],
  listDiscountedPrices: ({ region }) => [tag.pricesInTag(region)],
  listPriceHistory: ({ offerId, region }) => [tag.priceTag(asOfferId(offerId), asRegion(region))],
  listCurrentGiveaways: () => [tag.giveawaysTag],
  listGiveaways: () => [tag.giveawaysTag],
  listGivenAwayOffers: () => [tag.giveawaysTag],
  listPriceChanges: ({ region }) => [region === "" ? tag.pricesTag : tag.pricesInTag(region)],
  watchPriceChanges: "not cached",
  // Without pages, so that each change of a listed giveaway shows by its id.
  listOfferGiveaways: ({ offerId }, { giveaways }) => [
    tag.giveawaysOfTag(offerId),
    ...giveaways.map(({ id }) => tag.giveawayTag(id)),
  ],
};

export const reviewsReads: Readings<typeof ReviewsService.method> = {
  listReviews: ({ offerId }, { reviews }) => [
    tag.reviewsOfTag(offerId),
    tag.reviewsTag,
    ...reviews.map(({ id }) => tag.reviewTag(id)),
  ],
  // Without the reviews themselves: each change of one touches that of its offer.
  batchGetRatings: ({ offerIds }) => [...offerIds.map(tag.reviewsOfTag), tag.reviewsTag],
};

export const changelogReads: Readings<typeof ChangelogService.method> = {
  listEntries: entryListTags,
  listEntriesSince: () => [tag.entriesTag("", "")],
  getEntry: ({ entryId }) => [tag.entryTag(entryId)],
  batchGetEntries: ({ entryIds }) => entryIds.map(tag.entryTag),
  watchEntries: "not cached",
};

/** The search has no feed. */
export const searchReads: Readings<typeof SearchService.method, never> = {
  searchOffers: "lags behind the feeds",
  saveQuery: "not cached",
  // The query of an id never changes.
  getSavedQuery: () => [],
  countFacets: "lags behind the feeds",
  countOffersByTag: "lags behind the feeds",
  listSellers: "lags behind the feeds",
  suggest: "lags behind the feeds",
  searchOffersByMeaning: "not cached",
  searchEntries: "lags behind the feeds",
  listQueryEvents: "lags behind the feeds",
  watchQueryEvents: "not cached",
};

/** @param locale empty where only canonical texts are shown */
function textTags(offers: readonly { id: string }[], locale: string): string[] {
  if (locale === "") return [];
  return offers.map(({ id }) => tag.offerTextTag(asOfferId(id), asLocale(locale)));
}

// A catalog of an earlier release does not say what it has read.
function overviewTags(sources: OfferOverviewSources | undefined): string[] {
  if (sources === undefined) {
    return [tag.tagRecordsTag, tag.itemsTag, tag.buildsTag, tag.ageRatingsTag];
  }
  const { namespace, tagIds, itemIds, appNames, includesExecutables } = sources;
  return [
    ...tagIds.map(tag.tagRecordTag),
    ...itemIds.map(tag.itemTag),
    ...appNames.map(tag.buildsOfTag),
    tag.ageRatingsInTag(namespace),
    ...(includesExecutables ? [tag.executablesInTag(namespace)] : []),
  ];
}

function entryListTags({ scope, contextType, contextId }: ListEntriesRequest): string[] {
  if (scope.case === undefined) return [tag.entriesTag(contextType, contextId)];
  const isSandbox = scope.case === "sandboxId";
  const listTag = isSandbox ? tag.entriesInTag(scope.value) : tag.entriesOfItemTag(scope.value);
  return [listTag, tag.entryScopesTag];
}
