import {
  GetSandboxResponseSchema,
  ListSandboxAssetsRequestSchema,
  ListSandboxAssetsResponseSchema,
  ListSandboxOffersRequestSchema,
  ListSandboxOffersResponseSchema,
  ListSandboxesRequestSchema,
  ListSandboxesResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { asLocale } from "@storefront/domain/identifiers";
import { encodedOf, notFound, pageOf } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";
import type { AssetStore } from "../store/asset-store.ts";
import { recordsOf, textsOf } from "../store/rows.ts";
import type { SandboxStore } from "../store/sandbox-store.ts";
import { idRangeOf } from "./handlers.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function sandboxHandlers(deps: { sandboxes: SandboxStore; assets: AssetStore }) {
  return {
    async getSandbox({ sandboxId }) {
      const row = await deps.sandboxes.get(sandboxId);
      if (row === undefined) throw sandboxNotFound(sandboxId);
      return encodedOf(GetSandboxResponseSchema, { sandbox: row.record });
    },

    async listSandboxes(request) {
      const range = idRangeOf(ListSandboxesRequestSchema, request);
      const { rows, hasMore } = await deps.sandboxes.list(range);
      return encodedOf(ListSandboxesResponseSchema, {
        sandboxes: recordsOf(rows),
        hasMore: Number(hasMore),
      });
    },

    async listSandboxAssets(request) {
      const range = pageOf(ListSandboxAssetsRequestSchema, request);

      const page = await deps.assets.listOfSandbox(request.sandboxId, request.platforms, range);
      if (page === undefined) throw sandboxNotFound(request.sandboxId);
      return encodedOf(ListSandboxAssetsResponseSchema, {
        assets: recordsOf(page.rows),
        totalSize: page.totalSize,
      });
    },

    async listSandboxOffers(request) {
      const range = pageOf(ListSandboxOffersRequestSchema, request);

      const locale = asLocale(request.locale);
      const page = await deps.sandboxes.listOffers(request.sandboxId, request, locale, range);
      if (page === undefined) throw sandboxNotFound(request.sandboxId);
      return encodedOf(ListSandboxOffersResponseSchema, {
        offers: recordsOf(page.rows),
        texts: textsOf(page.rows),
        totalSize: page.totalSize,
      });
    },
  } satisfies CatalogHandlers;
}

function sandboxNotFound(sandboxId: string): ServiceError {
  return notFound(ErrorReason.SANDBOX_NOT_FOUND, "no sandbox has this id", { sandboxId });
}
