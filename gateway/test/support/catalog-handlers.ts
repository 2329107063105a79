import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import type { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { inOrder, known } from "./find-records.ts";
import { records } from "./records.ts";

const textOf = (offerId: string, locale: string) =>
  records.texts.find((text) => text.offerId === offerId && text.locale === locale);

const textsOf = (offerIds: string[], locale: string) =>
  offerIds.flatMap((offerId) => textOf(offerId, locale) ?? []);

const findOffer = (id: string) => records.offers.find((offer) => offer.id === id);
const findItem = (id: string) => [...records.items, records.defect].find((item) => item.id === id);
const requireSandbox = (id: string) =>
  known(
    records.sandboxes.find((sandbox) => sandbox.id === id),
    ErrorReason.SANDBOX_NOT_FOUND,
  );

/** A catalog over the records in memory. */
export const catalogHandlers: Partial<ServiceImpl<typeof CatalogService>> = {
  getSandbox: ({ sandboxId }) => ({ sandbox: requireSandbox(sandboxId) }),
  // More follow unless all are requested.
  listSandboxes: ({ pageSize }) => ({ sandboxes: records.sandboxes, hasMore: pageSize < 200 }),
  listOffers: ({ locale, pageSize }) => ({
    offers: records.offers,
    texts: textsOf(["full"], locale),
    hasMore: pageSize < 200,
  }),
  listSandboxAssets: ({ sandboxId }) => {
    requireSandbox(sandboxId);
    return { assets: records.assets, totalSize: 1n };
  },
  listSandboxOffers: ({ sandboxId, locale }) => {
    requireSandbox(sandboxId);
    const texts = textsOf(["full"], locale);
    return { offers: records.offers, texts, totalSize: 3n };
  },
  batchGetOffers: ({ offerIds, locale }) => {
    if (offerIds.includes("too-large") && offerIds.length > 1) {
      throw new ServiceError({
        code: Code.ResourceExhausted,
        reason: ErrorReason.UNSPECIFIED,
        message: "too large",
      });
    }
    const offers = inOrder(offerIds, findOffer);
    return { offers, texts: textsOf(offerIds, locale) };
  },
  getOfferOverview: ({ offerId }) => {
    known(findOffer(offerId), ErrorReason.OFFER_NOT_FOUND);
    return offerId === "full" ? records.overview : {};
  },
  listRankedOffers: ({ pageSize }) => ({
    rankedOffers: records.ranking
      .slice(0, pageSize)
      .map((offerId, index) => ({ offerId, position: index + 1 })),
  }),
  countOffersBySeller: () => ({
    sellerCounts: [{ seller: { id: "s1", name: "Seller" }, offerCount: 2n }, { offerCount: 1n }],
  }),
  listTags: () => ({
    tags: [
      { id: "t1", name: "Recorded", groupName: "genre" },
      { id: "t9", name: "Unused" },
    ],
  }),
  resolveSlugs: ({ slugs }) => ({
    mappings: slugs.map((slug) =>
      slug === "full" ? { slug, offerId: "full", namespace: "room" } : { slug },
    ),
  }),
  checkOffersExist: ({ offerIds }) => ({
    existingOfferIds: inOrder(offerIds, findOffer).map(({ id }) => id),
  }),
  listItems: () => ({ items: records.items, totalSize: 1n }),
  getItem: ({ itemId }) => ({ item: known(findItem(itemId), ErrorReason.ITEM_NOT_FOUND) }),
  getItemOffer: ({ itemId, locale }) => {
    known(findItem(itemId), ErrorReason.ITEM_WITHOUT_OFFER);
    const text = textOf("full", locale);
    return {
      offer: known(findOffer("full"), ErrorReason.ITEM_WITHOUT_OFFER),
      ...(text && { text }),
    };
  },
  listItemBuilds: ({ itemId }) => ({
    item: known(findItem(itemId), ErrorReason.ITEM_NOT_FOUND),
    builds: records.builds,
  }),
  batchGetChangeContexts: ({ refs }) => ({
    contexts: refs.flatMap((ref) => {
      const record = contextRecord(ref.contextType, ref.contextId);
      if (record === undefined) return [];
      const item = record.case === "asset" ? findItem(record.value.itemId ?? "") : undefined;
      return [{ ref, record, ...(item && { assetItem: item }) }];
    }),
  }),
};

function contextRecord(type: string, id: string) {
  switch (type) {
    case "offer": {
      const value = findOffer(id);
      return value && { case: type, value };
    }
    case "item": {
      const value = findItem(id);
      return value && { case: type, value };
    }
    case "asset": {
      const value = records.assets.find(({ artifactId }) => artifactId === id);
      return value && { case: type, value };
    }
    case "build": {
      const value = records.builds.find(({ build }) => build?.id === id)?.build;
      return value && { case: type, value };
    }
    default:
      return undefined;
  }
}
