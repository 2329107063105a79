import { create, toBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import type { Build } from "@storefront/contracts/catalog/v1/build";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import type { Item } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { dependsOnRelease } from "../domain/price-history.ts";
import { storeContexts } from "../store/entry-store.ts";
import type { SourceContext } from "../store/entry-store.ts";
import { readPrices, storeWithLows } from "../store/price-store.ts";
import { readReleases } from "../store/source-offer-store.ts";
import { buildTable, itemTable, offerTable, storeSources } from "../store/source-tables.ts";
import type { SourceBuild, SourceItem, SourceOffer } from "../store/source-tables.ts";
import { offersMadeWith, updateTechnologies } from "../store/technology-store.ts";
import type { IndexChanges } from "./index-changes.ts";
import { ms } from "../domain/offer-fields.ts";
import { latestRecords, present, removedIds } from "./latest-records.ts";

/** Kinds of catalog records that search stores. */
export const catalogKinds = ["offer", "item", "build", "asset", "sandbox"] as const;

/** Stores catalog records; returns what must be reindexed. */
export async function applyCatalogFeed(
  tx: Transaction,
  entries: readonly FeedEntry[],
): Promise<IndexChanges> {
  const offers = latestRecords(entries, "offer", OfferSchema);
  const items = latestRecords(entries, "item", ItemSchema);
  const builds = latestRecords(entries, "build", BuildSchema);
  const removed = removedIds(offers);

  // Read before and after, because a record may move from one offer to another.
  const refs = { itemIds: [...items.keys()], buildIds: [...builds.keys()] };
  const affectedBefore = await offersMadeWith(tx, refs);
  const written = present(offers).map(({ id }) => id);
  const releasesBefore = await readReleases(tx, written);
  await storeSources(tx, offerTable, present(offers).map(sourceOffer), removed);
  await storeSources(tx, itemTable, present(items).map(sourceItem), removedIds(items));
  await storeSources(tx, buildTable, present(builds).map(sourceBuild), removedIds(builds));
  const affectedAfter = await offersMadeWith(tx, refs);
  const updated = await updateTechnologies(tx, [
    ...new Set([...affectedBefore, ...affectedAfter, ...written]),
  ]);
  const renamed = await storeContexts(tx, contextsOf(entries));
  // Lows depend on the release date, which may have changed while an offer was deleted.
  const prices = present(offers).flatMap(({ id, releaseDate }) =>
    releasesBefore.has(id) && releasesBefore.get(id) === ms(releaseDate) ? [] : [{ offerId: id }],
  );
  await storeWithLows(tx, (await readPrices(tx, prices)).filter(dependsOnRelease));
  return {
    offers: [...new Set([...written, ...updated])],
    removedOffers: removed,
    prices,
    entries: renamed,
  };
}

function sourceOffer(offer: Offer): SourceOffer {
  const stored = create(OfferSchema, { ...offer, keyImages: [] });
  return {
    id: offer.id,
    namespace: offer.namespace,
    itemIds: [...new Set(offer.items.map(({ id }) => id))],
    record: toBinary(OfferSchema, stored),
  };
}

function sourceItem(item: Item): SourceItem {
  return {
    id: item.id,
    namespace: item.namespace,
    isExecutable: item.entitlementType === "EXECUTABLE",
    appIds: [...new Set(item.releaseInfo.flatMap(({ appId }) => appId ?? []))],
  };
}

function sourceBuild(build: Build): SourceBuild {
  return {
    id: build.id,
    appName: build.appName,
    updatedAtMs: ms(build.updatedAt),
    technologies: [...new Set(build.technologies.flatMap(({ technology }) => technology ?? []))],
  };
}

/** Titles and ids by which changelog entries about these records are found. Those of deleted records stay. */
function contextsOf(entries: readonly FeedEntry[]): SourceContext[] {
  return entries.flatMap(({ kind, key, namespace, record }) => {
    const [id = ""] = key;
    if (record === undefined) return [];
    const words = [...key, namespace, ...titlesOf(kind, record)].filter((word) => word !== "");
    return [{ type: kind, key, id, words: words.join(" ") }];
  });
}

function titlesOf(kind: string, record: NonNullable<FeedEntry["record"]>): string[] {
  switch (kind) {
    case "offer":
      return [anyUnpack(record, OfferSchema)?.title ?? ""];
    case "item":
      return [anyUnpack(record, ItemSchema)?.title ?? ""];
    case "sandbox": {
      const sandbox = anyUnpack(record, SandboxSchema);
      return [sandbox?.title ?? "", sandbox?.displayName ?? ""];
    }
    case "asset": {
      const asset = anyUnpack(record, AssetSchema);
      return [asset?.title ?? "", asset?.id ?? ""];
    }
    case "build": {
      const build = anyUnpack(record, BuildSchema);
      return [build?.appName ?? "", build?.buildVersion ?? ""];
    }
    default:
      return [];
  }
}
