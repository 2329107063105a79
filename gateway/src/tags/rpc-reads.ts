import { isMessage } from "@bufbuild/protobuf";
import type { DescMessage, DescMethodUnary, Message, MessageShape } from "@bufbuild/protobuf";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import type { OfferOverviewSources } from "@storefront/contracts/catalog/v1/catalog_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import type { ListEntriesRequest } from "@storefront/contracts/changelog/v1/changelog_service";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import type { FeedName } from "./feed-name.ts";
import type { ReadLog } from "./read-log.ts";
import * as tag from "./tags.ts";

type UnaryMethod = DescMethodUnary;
type Reader = (log: ReadLog, request: Message, answer: Message) => void;

/**
 * Notes what a call read. A method that is not in the table counts as one whose changes no feed
 * tells, so that a new call is kept too short rather than too long.
 */
export function noteReads(
  log: ReadLog,
  method: UnaryMethod,
  request: Message,
  answer: Message,
): void {
  const reader = readers.get(method);
  if (reader === undefined) log.noteUnfollowed();
  else reader(log, request, answer);
}

function reads<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  feed: FeedName,
  tagsOf: (request: MessageShape<Input>, answer: MessageShape<Output>) => Iterable<string>,
): [UnaryMethod, Reader] {
  const reader: Reader = (log, request, answer) => {
    if (isMessage(request, method.input) && isMessage(answer, method.output)) {
      log.note(feed, tagsOf(request, answer));
    } else log.noteUnfollowed();
  };
  return [method, reader];
}

/**
 * As the reader, of what also changes with time alone. What does not say when, as a pricing service of
 * the release before does not, counts as what no feed tells about.
 */
function withClock([method, reader]: [UnaryMethod, Reader]): [UnaryMethod, Reader] {
  return [
    method,
    (log, request, answer) => {
      reader(log, request, answer);
      if (isTimed(answer)) log.noteValidity(Number(answer.validForMs));
      else log.noteUnfollowed();
    },
  ];
}

function isTimed(answer: Message): answer is Message & { validForMs: bigint } {
  return "validForMs" in answer && typeof answer.validForMs === "bigint";
}

const catalog = CatalogService.method;
const pricing = PricingService.method;
const changelog = ChangelogService.method;

const readers = new Map<UnaryMethod, Reader>([
  reads(catalog.getSandbox, "catalog", ({ sandboxId }) => [tag.sandboxTag(sandboxId)]),
  reads(catalog.listSandboxAssets, "catalog", ({ sandboxId }) => [
    tag.sandboxTag(sandboxId),
    tag.assetsInTag(sandboxId),
  ]),
  reads(catalog.listSandboxOffers, "catalog", ({ sandboxId, locale }, { offers }) => [
    tag.sandboxTag(sandboxId),
    tag.offersInTag(sandboxId),
    ...(locale === "" ? [] : offers.map(({ id }) => tag.offerTextTag(id, locale))),
  ]),
  reads(catalog.getOfferOverview, "catalog", ({ offerId }, { sources }) => [
    tag.offerTag(offerId),
    tag.offerDetailsTag(offerId),
    ...overviewTags(sources),
  ]),
  reads(catalog.listRankedOffers, "catalog", () => [tag.rankingsTag, tag.offerTypesTag]),
  reads(catalog.countOffersBySeller, "catalog", () => [tag.offersTag]),
  reads(catalog.listItems, "catalog", () => [tag.itemsTag]),
  reads(catalog.getItem, "catalog", ({ itemId }) => [tag.itemTag(itemId)]),
  reads(catalog.getItemOffer, "catalog", ({ itemId, locale }, { offer }) => [
    tag.offersOfItemTag(itemId),
    ...(offer === undefined ? [] : [tag.offerTag(offer.id), tag.offerTextTag(offer.id, locale)]),
  ]),
  reads(catalog.listItemBuilds, "catalog", ({ itemId }, { item }) => [
    tag.itemTag(itemId),
    ...(item?.releaseInfo ?? []).flatMap(({ appId = "" }) => [
      tag.buildsOfTag(appId),
      tag.assetTag(appId),
    ]),
  ]),
  reads(pricing.listDiscountedPrices, "pricing", ({ region }) => [tag.pricesInTag(region)]),
  reads(pricing.listPriceHistory, "pricing", ({ offerId, region }) => [
    tag.priceTag(offerId, region),
  ]),
  withClock(reads(pricing.listCurrentGiveaways, "pricing", () => [tag.giveawaysTag])),
  withClock(reads(pricing.listGivenAwayOffers, "pricing", () => [tag.giveawaysTag])),
  // Without pages, so that whatever becomes of one of them shows by its id.
  reads(pricing.listOfferGiveaways, "pricing", ({ offerId }, { giveaways }) => [
    tag.giveawaysOfTag(offerId),
    ...giveaways.map(({ id }) => tag.giveawayTag(id)),
  ]),
  reads(ReviewsService.method.listReviews, "reviews", ({ offerId }, { reviews }) => [
    tag.reviewsOfTag(offerId),
    tag.reviewsTag,
    ...reviews.map(({ id }) => tag.reviewTag(id)),
  ]),
  reads(changelog.listEntries, "changelog", (request) => entryListTags(request)),
  reads(changelog.listEntriesSince, "changelog", () => [tag.entriesTag("", "")]),
  reads(changelog.getEntry, "changelog", ({ entryId }) => [tag.entryTag(entryId)]),
  reads(changelog.batchGetEntries, "changelog", ({ entryIds }) => entryIds.map(tag.entryTag)),
  // What an id stands for never changes.
  [SearchService.method.getSavedQuery, () => undefined],
]);

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
