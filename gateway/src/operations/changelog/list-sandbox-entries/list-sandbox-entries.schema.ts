import { z } from "zod";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../../schemas/paging.ts";
import { zIdentifier } from "../../../schemas/parameters.ts";
import { entryHitsShape } from "../entry-hits.ts";

export const zListSandboxEntriesInput = z
  .object({
    sandboxId: zIdentifier("Namespace or sandbox id.", "calluna"),
    ...pagingShape(10, 50),
  })
  .refine(isWithinReach, reachRule);

export const zListSandboxEntriesOutput = z
  .object({
    ...entryHitsShape,
    limit: pageEchoShape.limit,
    offset: z
      .int()
      .min(0)
      .meta({ description: "Number of entries on the pages before.", example: 0 }),
  })
  .meta({ id: "SandboxEntryPage", description: "A page of a sandbox's changes, newest first." });
