import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zCheckOffersExistInput, zCheckOffersExistOutput } from "./check-offers-exist.schema.ts";

export const checkOffersExist = operation({
  method: "POST",
  path: "/offers/exists",
  operationId: "checkOffersExist",
  tag: "offers",
  summary: "Check whether offers exist",
  description: "Parts the submitted ids into known and unknown ones, in their order, each once.",
  cost: 3,
  input: zCheckOffersExistInput,
  output: zCheckOffersExistOutput,
  resolve: async ({ ctx, input }) => {
    const offerIds = [...new Set(input.offers)];
    if (offerIds.length === 0) return { existingOffers: [], nonExistingOffers: [] };
    const { existingOfferIds } = await callUpstream(ctx, "catalog.CheckOffersExist", (options) =>
      ctx.clients.catalog.checkOffersExist({ offerIds }, options),
    );
    const existing = new Set(existingOfferIds);
    return {
      existingOffers: offerIds.filter((id) => existing.has(id)),
      nonExistingOffers: offerIds.filter((id) => !existing.has(id)),
    };
  },
});
