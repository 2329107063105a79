import { ListSandboxAssetsResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded, EncodedWriter, RequestCheck } from "@storefront/rpc";
import type { AssetStore } from "../store/asset-store.ts";
import { checkFilter } from "./checks.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { sandboxNotFound } from "./not-found-errors.ts";

const { assets, totalSize } = ListSandboxAssetsResponseSchema.field;

export function listSandboxAssets(deps: {
  assets: AssetStore;
}): CatalogHandlers["listSandboxAssets"] {
  return async (request) => {
    const check = new RequestCheck();
    check.identifier("sandbox_id", request.sandboxId);
    checkFilter(check, "platforms", request.platforms);
    const range = check.page(request, { defaultSize: 10, maxSize: 100 });
    check.done();

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
