import { validForMs } from "../domain/valid-for-ms.ts";
import type { GiveawayStore } from "../store/giveaway-store.ts";
import type { PricingHandlers } from "./handlers.ts";
import { instantAsked } from "./instant-asked.ts";

const maxOffers = 50_000;

export function listGivenAwayOffers(deps: {
  giveaways: GiveawayStore;
}): PricingHandlers["listGivenAwayOffers"] {
  return async (request) => {
    const at = instantAsked(request.at);

    const [offerIds, next] = await Promise.all([
      deps.giveaways.offersGivenAwayBy(at, maxOffers),
      deps.giveaways.nextStart(at),
    ]);
    return { offerIds, validForMs: BigInt(validForMs(at, next)) };
  };
}
