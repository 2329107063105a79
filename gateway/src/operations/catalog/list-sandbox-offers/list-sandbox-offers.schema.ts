import { z } from "zod";
import { zOffer } from "../../../schemas/offer.ts";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../../schemas/paging.ts";
import { zCommaList, zIdentifier, zLocale, zText } from "../../../schemas/parameters.ts";

export const zListSandboxOffersInput = z
  .object({
    sandboxId: zIdentifier("Namespace or sandbox id.", "calluna"),
    offerType: zCommaList("Only offers of these types: separated by commas.", "BASE_GAME,DLC"),
    title: zText(512)
      .meta({
        description: "Only offers whose canonical title contains this text, any case.",
        example: "harbour",
      })
      .optional(),
    locale: zLocale,
    ...pagingShape(10, 100),
  })
  .refine(isWithinReach, reachRule);

export const zListSandboxOffersOutput = z
  .object({
    elements: z.array(zOffer).meta({ description: "The offers of the page, without prices." }),
    ...pageEchoShape,
    count: z
      .int()
      .min(0)
      .meta({ description: "Number of matching offers on all pages.", example: 7 }),
  })
  .meta({ id: "SandboxOfferPage", description: "A page of offers, newest change first." });
