import { z } from "zod";
import { zItemSummary } from "../../schemas/item.ts";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../schemas/paging.ts";

export const zListItemsInput = z.object(pagingShape(10, 50)).refine(isWithinReach, reachRule);

export const zListItemsOutput = z
  .object({
    elements: z.array(zItemSummary),
    ...pageEchoShape,
    total: z.int().min(0).meta({ description: "Number of items on all pages." }),
  })
  .meta({ id: "ItemPage" });
