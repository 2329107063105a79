import { z } from "zod";
import { isWithinSearchReach, pagingShape, searchReachRule } from "../../../schemas/paging.ts";
import { zIdentifier, zText } from "../../../schemas/parameters.ts";
import { entryHitsShape } from "../entry-hits.ts";

export const zSearchEntriesInput = z
  .object({
    query: zText(512)
      .overwrite((text) => text.trim())
      .default("")
      .meta({
        description:
          "Words that an entry must have, all of them; without any, every entry matches.",
        example: "harbour",
      }),
    type: zIdentifier("Only changes of this context type, exactly.", "offer").optional(),
    id: zIdentifier(
      "Only changes with this context id, exactly.",
      "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
    ).optional(),
    ...pagingShape(10, 50),
  })
  .refine(isWithinSearchReach, searchReachRule);

export const zSearchEntriesOutput = z.object(entryHitsShape).meta({
  id: "EntrySearchPage",
  description: "A page of found changes, newest first.",
});
