import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import {
  ItemBuildSchema,
  ListItemBuildsResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { encodedOf, EncodedWriter } from "@storefront/rpc";
import { sizesByApplication } from "../domain/asset-sizes.ts";
import { viewBuilds } from "../domain/item-builds.ts";
import type { AssetStore } from "../store/asset-store.ts";
import type { BuildStore } from "../store/build-store.ts";
import type { ItemStore } from "../store/item-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { itemNotFound } from "./not-found-errors.ts";

const maxBuilds = 1_000;

export function listItemBuilds(deps: {
  items: ItemStore;
  builds: BuildStore;
  assets: AssetStore;
}): CatalogHandlers["listItemBuilds"] {
  return async ({ itemId }) => {
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
  };
}
