import { z } from "zod";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../../schemas/paging.ts";
import { zCommaList, zIdentifier } from "../../../schemas/parameters.ts";
import { zSandboxAsset } from "../../../schemas/sandbox-asset.ts";

export const zListSandboxAssetsInput = z
  .object({
    sandboxId: zIdentifier("Namespace or sandbox id.", "calluna"),
    platform: zCommaList(
      "Only assets of these platforms: separated by commas, any case.",
      "Windows,Mac",
    ),
    ...pagingShape(10, 100),
  })
  .refine(isWithinReach, reachRule);

export const zListSandboxAssetsOutput = z
  .object({
    elements: z.array(zSandboxAsset).meta({ description: "The assets of the page." }),
    ...pageEchoShape,
    count: z
      .int()
      .min(0)
      .meta({ description: "Number of matching assets on all pages.", example: 3 }),
  })
  .meta({ id: "SandboxAssetPage", description: "A page of assets, newest change first." });
