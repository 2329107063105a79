import { ListSandboxOffersResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded, RequestCheck } from "@storefront/rpc";
import type { SandboxOfferStore } from "../store/sandbox-offer-store.ts";
import { checkFilter, checkLocale, checkText } from "./checks.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { sandboxNotFound } from "./not-found-errors.ts";
import { writeOffers } from "./offer-parts.ts";

const { offers, texts, totalSize } = ListSandboxOffersResponseSchema.field;

export function listSandboxOffers(deps: {
  sandboxOffers: SandboxOfferStore;
}): CatalogHandlers["listSandboxOffers"] {
  return async (request) => {
    const check = new RequestCheck();
    check.identifier("sandbox_id", request.sandboxId);
    checkFilter(check, "offer_types", request.offerTypes);
    checkText(check, "title", request.title);
    checkLocale(check, request.locale);
    const range = check.page(request, { defaultSize: 10, maxSize: 100 });
    check.done();

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
