import { z } from "zod";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../../schemas/paging.ts";
import { zCountry, zIdentifier } from "../../../schemas/parameters.ts";
import { zPricePoint } from "../../../schemas/price-point.ts";

export const zListPriceHistoryInput = z
  .object({
    id: zIdentifier("Id of the offer.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
    country: zCountry,
    ...pagingShape(50, 500),
  })
  .refine(isWithinReach, reachRule);

export const zListPriceHistoryOutput = z
  .object({
    elements: z.array(zPricePoint).meta({ description: "The prices of the page." }),
    ...pageEchoShape,
    total: z.int().min(0).meta({ description: "Number of prices on all pages.", example: 12 }),
  })
  .meta({
    id: "PriceHistoryPage",
    description: "A page of past and present prices, newest first.",
  });
