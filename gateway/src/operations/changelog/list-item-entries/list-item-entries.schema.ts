import { z } from "zod";
import { zChangelogEntry } from "../../../schemas/changelog-entry.ts";
import { isWithinReach, pagingShape, reachRule } from "../../../schemas/paging.ts";
import { zIdentifier } from "../../../schemas/parameters.ts";

export const zListItemEntriesInput = z
  .object({
    id: zIdentifier("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
    ...pagingShape(10, 50),
  })
  .refine(isWithinReach, reachRule);

export const zListItemEntriesOutput = z.array(zChangelogEntry);
