import type { ServiceImpl } from "@connectrpc/connect";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { validForMs } from "../domain/valid-for-ms.ts";
import type { GiveawayStore } from "../store/giveaway-store.ts";
import { instantAsked } from "./instant-asked.ts";

const maxOffers = 50_000;

/** The offers with a giveaway that has started, each once, by id. */
export function listGivenAwayOffers(
  store: GiveawayStore,
): ServiceImpl<typeof PricingService>["listGivenAwayOffers"] {
  return async (request) => {
    const at = instantAsked(request.at);

    const [offerIds, next] = await Promise.all([
      store.offersGivenAwayBy(at, maxOffers),
      store.nextStart(at),
    ]);
    return { offerIds, validForMs: BigInt(validForMs(at, next)) };
  };
}
