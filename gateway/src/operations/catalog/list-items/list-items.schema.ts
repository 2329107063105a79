import { z } from "zod";
import { zItemSummary } from "../../../schemas/item.ts";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../../schemas/paging.ts";

export const zListItemsInput = z.object(pagingShape(10, 50)).refine(isWithinReach, reachRule);

export const zListItemsOutput = z
  .object({
    elements: z.array(zItemSummary).meta({ description: "The items of the page." }),
    ...pageEchoShape,
    total: z.int().min(0).meta({ description: "Number of items on all pages.", example: 1042 }),
  })
  .meta({ id: "ItemPage", description: "A page of items, newest change first." });
