import { z } from "zod";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { zOffer } from "../../records/offer.ts";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../schemas/paging.ts";
import {
  commaList,
  zCommaList,
  zIdentifier,
  zLocale,
  zTextUpTo,
} from "../../schemas/parameters.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const zListSandboxOffersInput = z
  .object({
    sandboxId: zIdentifier("Namespace or sandbox id.", "calluna"),
    offerType: zCommaList("Only offers of these types: separated by commas.", "BASE_GAME,DLC"),
    title: zTextUpTo(512)
      .meta({
        description: "Only offers whose canonical title contains this text, any case.",
        example: "harbour",
      })
      .optional(),
    locale: zLocale,
    ...pagingShape(10, 100),
  })
  .refine(isWithinReach, reachRule);

const zListSandboxOffersOutput = z
  .object({
    elements: z.array(zOffer).meta({ description: "The offers of the page, without prices." }),
    ...pageEchoShape,
    count: z
      .int()
      .min(0)
      .meta({ description: "Number of matching offers on all pages.", example: 7 }),
  })
  .meta({ id: "SandboxOfferPage", description: "A page of offers, newest change first." });

export const listSandboxOffers = operation({
  method: "GET",
  path: "/sandboxes/{sandboxId}/offers",
  operationId: "listSandboxOffers",
  tag: "sandboxes",
  summary: "List the offers of a sandbox",
  description: "Store listings of a sandbox, newest `lastModifiedDate` first, without prices.",
  cost: 3,
  input: zListSandboxOffersInput,
  failures: [404],
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
