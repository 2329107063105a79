import { localiseOffer, requestLocale } from "../../../compose/localise-offer.ts";
import { commaList } from "../../../schemas/parameters.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zListSandboxOffersInput, zListSandboxOffersOutput } from "./list-sandbox-offers.schema.ts";

export const listSandboxOffers = operation({
  method: "GET",
  path: "/sandboxes/{sandboxId}/offers",
  operationId: "listSandboxOffers",
  tag: "sandboxes",
  summary: "List the offers of a sandbox",
  description: "Store listings of a sandbox, newest `lastModifiedDate` first, without prices.",
  cost: 3,
  input: zListSandboxOffersInput,
  output: zListSandboxOffersOutput,
  resolve: async ({ ctx, input }) => {
    const { sandboxId, locale, page, limit } = input;
    const request = {
      sandboxId,
      offerTypes: commaList(input.offerType),
      title: input.title ?? "",
      locale: requestLocale(locale),
      page,
      pageSize: limit,
    };
    const answer = await callUpstream(ctx, "catalog.ListSandboxOffers", (options) =>
      ctx.clients.catalog.listSandboxOffers(request, options),
    );
    const textByOffer = new Map(answer.texts.map((text) => [text.offerId, text]));
    return {
      elements: answer.offers.map((offer) =>
        localiseOffer({ offer, text: textByOffer.get(offer.id) }, locale),
      ),
      page,
      limit,
      count: Number(answer.totalSize),
    };
  },
});
