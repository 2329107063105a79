import { z } from "zod";
import { zInstant, zText } from "./members.ts";
import { zPricePoint } from "./price-point.ts";

const zChangedOffer = z
  .object({
    title: zText.meta({ description: "Title of the offer.", example: "Moonlit Harbour" }),
    namespace: zText.meta({ description: "Sandbox of the offer.", example: "calluna" }),
  })
  .meta({
    id: "PriceChangeOffer",
    description: "The offer whose price changed, as it stands now.",
  });

/** One change of what an offer costs in a region. */
export const zPriceChange = z
  .object({
    id: z.string().meta({
      description: "Id of the change; its place in the log.",
      example: "price-000000000001f-hoerpj1quw",
    }),
    offerId: z
      .string()
      .meta({ description: "The offer.", example: "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b" }),
    region: z.string().meta({ description: "Pricing region.", example: "EURO" }),
    committedAt: zInstant.meta({
      description: "When the change was stored; what `since` goes by.",
    }),
    observedAt: zInstant.meta({ description: "When the new price was seen at its source." }),
    previousPrice: zPricePoint
      .nullable()
      .meta({ description: "The price before; null when there was none, or it was forgotten." }),
    price: zPricePoint.nullable().meta({ description: "The price after; null when it is gone." }),
    isForgotten: z.boolean().meta({
      description:
        "Whether the price was forgotten: drop what you have of its past, which is listed no more.",
    }),
    offer: zChangedOffer.nullable().meta({
      description: "Null when the offer is unknown, or its lookup failed or took too long.",
    }),
  })
  .meta({ id: "PriceChange", description: "One change of what an offer costs in a region." });

export type PriceChange = z.output<typeof zPriceChange>;
