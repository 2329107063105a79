import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import {
  BatchGetItemsResponseSchema,
  GetItemOfferResponseSchema,
  GetItemResponseSchema,
  ItemBuildSchema,
  ListItemBuildsResponseSchema,
  ListItemsRequestSchema,
  ListItemsResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { asLocale } from "@storefront/domain/identifiers";
import { encodedOf, EncodedWriter, notFound, pageOf } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";
import { sizesByApplication } from "../domain/asset-sizes.ts";
import { viewBuilds } from "../domain/item-builds.ts";
import type { AssetStore } from "../store/asset-store.ts";
import type { BuildStore } from "../store/build-store.ts";
import type { ItemStore } from "../store/item-store.ts";
import type { OfferStore } from "../store/offer-store.ts";
import { recordsOf } from "../store/rows.ts";
import type { CatalogHandlers } from "./handlers.ts";

const maxBuilds = 1_000;

export function itemHandlers(deps: {
  items: ItemStore;
  offers: OfferStore;
  builds: BuildStore;
  assets: AssetStore;
}) {
  return {
    async listItems(request) {
      const range = pageOf(ListItemsRequestSchema, request);

      const page = await deps.items.listAll(range);
      return encodedOf(ListItemsResponseSchema, {
        items: recordsOf(page.rows),
        totalSize: page.totalSize,
      });
    },

    async getItem({ itemId }) {
      const row = await deps.items.get(itemId);
      if (row === undefined) throw itemNotFound(itemId);
      return encodedOf(GetItemResponseSchema, { item: row.record });
    },

    async batchGetItems({ itemIds }) {
      const rows = await deps.items.list(itemIds);
      return encodedOf(BatchGetItemsResponseSchema, { items: recordsOf(rows) });
    },

    async getItemOffer({ itemId, locale }) {
      const row = await deps.offers.ofItem(itemId, asLocale(locale));
      if (row === undefined) throw itemWithoutOffer(itemId);
      return encodedOf(GetItemOfferResponseSchema, { offer: row.record, text: row.text });
    },

    async listItemBuilds({ itemId }) {
      const item = await deps.items.get(itemId);
      if (item === undefined) throw itemNotFound(itemId);
      const [rows, assets] = await Promise.all([
        deps.builds.newestOf(item.app_ids, maxBuilds),
        deps.assets.sizesOf(item.app_ids),
      ]);
      const views = viewBuilds(
        rows.map(({ record }) => fromBinary(BuildSchema, record)),
        sizesByApplication(assets, item.namespace ?? undefined),
      );
      const builds = rows.map(({ record }, index) => {
        const view = toBinary(ItemBuildSchema, create(ItemBuildSchema, views[index]));
        return new EncodedWriter()
          .message(ItemBuildSchema.field.build.number, record)
          .raw(view)
          .finish();
      });
      return encodedOf(ListItemBuildsResponseSchema, { builds, item: item.record });
    },
  } satisfies CatalogHandlers;
}

function itemNotFound(itemId: string): ServiceError {
  return notFound(ErrorReason.ITEM_NOT_FOUND, "no item has this id", { itemId });
}

function itemWithoutOffer(itemId: string): ServiceError {
  return notFound(ErrorReason.ITEM_WITHOUT_OFFER, "no offer holds this item", { itemId });
}
