import { localiseOffer, requestLocale } from "../../../compose/localise-offer.ts";
import { answered } from "../../../upstream/answered.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zGetItemOfferInput, zGetItemOfferOutput } from "./get-item-offer.schema.ts";

export const getItemOffer = operation({
  method: "GET",
  path: "/items/{id}/offer",
  operationId: "getItemOffer",
  tag: "items",
  summary: "Get the offer of an item",
  description:
    "The offer that best stands for an item: not pre-purchase before pre-purchase, then by type, then the earliest made; without a price.",
  input: zGetItemOfferInput,
  output: zGetItemOfferOutput,
  resolve: async ({ ctx, input: { id, locale } }) => {
    const request = { itemId: id, locale: requestLocale(locale) };
    const { offer, text } = await callUpstream(ctx, "catalog.GetItemOffer", (options) =>
      ctx.clients.catalog.getItemOffer(request, options),
    );
    return localiseOffer({ offer: answered(offer, "catalog.GetItemOffer"), text }, locale);
  },
});
