import { z } from "zod";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { zOffer } from "../../records/offer.ts";
import { zIdentifier, zLocale } from "../../schemas/parameters.ts";
import { answered } from "../../upstream/answered.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

export const getItemOffer = operation({
  method: "GET",
  path: "/items/{id}/offer",
  operationId: "getItemOffer",
  tag: "items",
  summary: "Get the offer of an item",
  description:
    "The offer that best stands for an item: not pre-purchase before pre-purchase, then by type, then the earliest made; without a price.",
  input: z.object({
    id: zIdentifier("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
    locale: zLocale,
  }),
  failures: [404],
  output: zOffer,
  resolve: async ({ ctx, input: { id, locale } }) => {
    const request = { itemId: id, locale: requestLocale(locale) };
    const { offer, text } = await callUpstream(ctx, "catalog.GetItemOffer", (options) =>
      ctx.clients.catalog.getItemOffer(request, options),
    );
    return localiseOffer({ offer: answered(offer, "catalog.GetItemOffer"), text }, locale);
  },
});
