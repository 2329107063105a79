import {
  ListSandboxOffersRequestSchema,
  ListSandboxOffersResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { asLocale } from "@storefront/identifiers";
import { encodedOf, pageOf } from "@storefront/rpc";
import type { SandboxStore } from "../store/sandbox-store.ts";
import { recordsOf, textsOf } from "../store/rows.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { sandboxNotFound } from "./not-found-errors.ts";

export function listSandboxOffers(deps: {
  sandboxes: SandboxStore;
}): CatalogHandlers["listSandboxOffers"] {
  return async (request) => {
    const range = pageOf(ListSandboxOffersRequestSchema, request);

    const locale = asLocale(request.locale);
    const page = await deps.sandboxes.listOffers(request.sandboxId, request, locale, range);
    if (page === undefined) throw sandboxNotFound(request.sandboxId);
    return encodedOf(ListSandboxOffersResponseSchema, {
      offers: recordsOf(page.rows),
      texts: textsOf(page.rows),
      totalSize: page.totalSize,
    });
  };
}
