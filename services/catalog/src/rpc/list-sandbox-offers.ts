import {
  ListSandboxOffersRequestSchema,
  ListSandboxOffersResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded, pageOf } from "@storefront/rpc";
import type { SandboxOfferStore } from "../store/sandbox-offer-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { sandboxNotFound } from "./not-found-errors.ts";
import { writeOffers } from "./offer-parts.ts";

const { offers, texts, totalSize } = ListSandboxOffersResponseSchema.field;

export function listSandboxOffers(deps: {
  sandboxOffers: SandboxOfferStore;
}): CatalogHandlers["listSandboxOffers"] {
  return async (request) => {
    const range = pageOf(ListSandboxOffersRequestSchema, request);

    const page = await deps.sandboxOffers.list(request.sandboxId, request, request.locale, range);
    if (page === undefined) throw sandboxNotFound(request.sandboxId);
    return encoded(
      ListSandboxOffersResponseSchema,
      writeOffers(page.rows, { offer: offers.number, text: texts.number })
        .varint(totalSize.number, page.totalSize)
        .finish(),
    );
  };
}
