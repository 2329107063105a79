import {
  ListSandboxAssetsRequestSchema,
  ListSandboxAssetsResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { encodedOf, pageOf } from "@storefront/rpc";
import type { AssetStore } from "../store/asset-store.ts";
import { recordsOf } from "../store/rows.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { sandboxNotFound } from "./not-found-errors.ts";

export function listSandboxAssets(deps: {
  assets: AssetStore;
}): CatalogHandlers["listSandboxAssets"] {
  return async (request) => {
    const range = pageOf(ListSandboxAssetsRequestSchema, request);

    const page = await deps.assets.listOfSandbox(request.sandboxId, request.platforms, range);
    if (page === undefined) throw sandboxNotFound(request.sandboxId);
    return encodedOf(ListSandboxAssetsResponseSchema, {
      assets: recordsOf(page.rows),
      totalSize: page.totalSize,
    });
  };
}
