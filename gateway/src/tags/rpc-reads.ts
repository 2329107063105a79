import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import type { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import type { OfferOverviewSources } from "@storefront/contracts/catalog/v1/catalog_service";
import type { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import type { ListEntriesRequest } from "@storefront/contracts/changelog/v1/changelog_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import type { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import type { SearchService } from "@storefront/contracts/search/v1/search_service";
import { asLocale, asOfferId, asRegion } from "@storefront/identifiers";
import * as tag from "./tags.ts";

/** Why nothing is named. Then an answer counts as one whose changes no feed tells. */
type Unnamed =
  /** It is made of the search's index. */
  | "lags behind the feeds"
  /** Requests have read what they looked up of a joined call, see `upstream/lookup-reads.ts`. */
  | "noted by its loader"
  /** Only operations call it whose answers are not kept. */
  | "not kept"
  | "not called";

/**
 * What each method of a service reads, by tags of the service's feed. A method that is new fails the
 * type check until it stands here.
 */
export type Readings<Methods extends MethodsOf<Methods>, Tag = string> = {
  readonly [Name in keyof Methods]:
    | Reading<Methods[Name]["input"], Methods[Name]["output"], Tag>
    | Unnamed;
};

/** The methods of a service by their names. */
export type MethodsOf<Methods> = { readonly [Name in keyof Methods]: DescMethod };

/** Names what a call read. */
export type Reading<Input extends DescMessage, Output extends DescMessage, Tag> = (
  request: MessageShape<Input>,
  answer: MessageShape<Output>,
) => Iterable<Tag>;

export const catalogReads: Readings<typeof CatalogService.method> = {
  getSandbox: ({ sandboxId }) => [tag.sandboxTag(sandboxId)],
  listSandboxAssets: ({ sandboxId }) => [tag.sandboxTag(sandboxId), tag.assetsInTag(sandboxId)],
  listSandboxOffers: ({ sandboxId, locale }, { offers }) => [
    tag.sandboxTag(sandboxId),
    tag.offersInTag(sandboxId),
    ...(locale === ""
      ? []
      : offers.map(({ id }) => tag.offerTextTag(asOfferId(id), asLocale(locale)))),
  ],
  getOffer: "not called",
  batchGetOffers: "noted by its loader",
  getOfferOverview: ({ offerId }, { sources }) => [
    tag.offerTag(offerId),
    tag.offerDetailsTag(offerId),
    ...overviewTags(sources),
  ],
  listRankedOffers: () => [tag.rankingsTag, tag.offerTypesTag],
  countOffersBySeller: () => [tag.offersTag],
  resolveSlugs: "not kept",
  checkOffersExist: "not kept",
  listItems: () => [tag.itemsTag],
  getItem: ({ itemId }) => [tag.itemTag(itemId)],
  batchGetItems: "not called",
  getItemOffer: ({ itemId, locale }, { offer }) => [
    tag.offersOfItemTag(itemId),
    ...(offer === undefined
      ? []
      : [tag.offerTag(offer.id), tag.offerTextTag(asOfferId(offer.id), asLocale(locale))]),
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
  getPrice: "not called",
  // Requests have read what they looked up of a joined call, see `upstream/lookup-reads.ts`; this is of others.
  batchGetPrices: ({ offerIds, region }) =>
    offerIds.map((offerId) => tag.priceTag(asOfferId(offerId), asRegion(region))),
  listOfferPrices: ({ offerId }) => [tag.pricesOfTag(offerId)],
  listDiscountedPrices: ({ region }) => [tag.pricesInTag(region)],
  listPriceHistory: ({ offerId, region }) => [tag.priceTag(asOfferId(offerId), asRegion(region))],
  listCurrentGiveaways: () => [tag.giveawaysTag],
  listGiveaways: () => [tag.giveawaysTag],
  listGivenAwayOffers: () => [tag.giveawaysTag],
  listPriceChanges: ({ region }) => [region === "" ? tag.pricesTag : tag.pricesInTag(region)],
  watchPriceChanges: "not kept",
  // Without pages, so that whatever becomes of one of them shows by its id.
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
};

export const changelogReads: Readings<typeof ChangelogService.method> = {
  listEntries: entryListTags,
  listEntriesSince: () => [tag.entriesTag("", "")],
  getEntry: ({ entryId }) => [tag.entryTag(entryId)],
  batchGetEntries: ({ entryIds }) => entryIds.map(tag.entryTag),
  watchEntries: "not kept",
};

/** There is no feed of the search. */
export const searchReads: Readings<typeof SearchService.method, never> = {
  searchOffers: "lags behind the feeds",
  saveQuery: "not kept",
  // What an id stands for never changes.
  getSavedQuery: () => [],
  countFacets: "lags behind the feeds",
  searchOffersByMeaning: "not kept",
  searchEntries: "lags behind the feeds",
  listQueryEvents: "lags behind the feeds",
  watchQueryEvents: "not kept",
};

// A catalog of the release before does not tell what it has read.
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
