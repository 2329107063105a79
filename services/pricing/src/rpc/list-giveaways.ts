import {
  ListGiveawaysRequestSchema,
  ListGiveawaysResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import { encodedOf, pageOf } from "@storefront/rpc";
import { validForMs } from "../domain/valid-for-ms.ts";
import type { GiveawayStore } from "../store/giveaway-store.ts";
import type { PricingHandlers } from "./handlers.ts";
import { instantAsked } from "./instant-asked.ts";

export function listGiveaways(deps: {
  giveaways: GiveawayStore;
}): PricingHandlers["listGiveaways"] {
  return async (request) => {
    const { state, platforms } = request;
    const at = instantAsked(request.at);
    const { pageSize, offset } = pageOf(ListGiveawaysRequestSchema, request);

    const [{ records, total }, next] = await Promise.all([
      deps.giveaways.inState({ state, platforms, at }, pageSize, offset),
      deps.giveaways.nextChange(at),
    ]);
    return encodedOf(ListGiveawaysResponseSchema, {
      giveaways: records,
      totalSize: total,
      validForMs: validForMs(at, next),
    });
  };
}
