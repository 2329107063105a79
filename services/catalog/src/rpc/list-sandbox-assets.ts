import {
  ListSandboxAssetsRequestSchema,
  ListSandboxAssetsResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded, EncodedWriter, pageOf } from "@storefront/rpc";
import type { AssetStore } from "../store/asset-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { sandboxNotFound } from "./not-found-errors.ts";

const { assets, totalSize } = ListSandboxAssetsResponseSchema.field;

export function listSandboxAssets(deps: {
  assets: AssetStore;
}): CatalogHandlers["listSandboxAssets"] {
  return async (request) => {
    const range = pageOf(ListSandboxAssetsRequestSchema, request);

    const page = await deps.assets.listOfSandbox(request.sandboxId, request.platforms, range);
    if (page === undefined) throw sandboxNotFound(request.sandboxId);
    return encoded(
      ListSandboxAssetsResponseSchema,
      new EncodedWriter()
        .messages(
          assets.number,
          page.rows.map(({ record }) => record),
        )
        .varint(totalSize.number, page.totalSize)
        .finish(),
    );
  };
}
