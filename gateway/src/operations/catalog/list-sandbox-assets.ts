import { z } from "zod";
import { isWithinReach, pageEchoShape, pagingShape, reachRule } from "../../schemas/paging.ts";
import { commaList, zCommaList, zIdentifier } from "../../schemas/parameters.ts";
import { zSandboxAsset, sandboxAssetOf } from "../../records/sandbox.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const zListSandboxAssetsInput = z
  .object({
    sandboxId: zIdentifier("Namespace or sandbox id.", "calluna"),
    platform: zCommaList(
      "Only assets of these platforms: separated by commas, any case.",
      "Windows,Mac",
    ),
    ...pagingShape(10, 100),
  })
  .refine(isWithinReach, reachRule);

const zListSandboxAssetsOutput = z
  .object({
    elements: z.array(zSandboxAsset).meta({ description: "The assets of the page." }),
    ...pageEchoShape,
    count: z
      .int()
      .min(0)
      .meta({ description: "Number of matching assets on all pages.", example: 3 }),
  })
  .meta({ id: "SandboxAssetPage", description: "A page of assets, newest change first." });

export const listSandboxAssets = operation({
  method: "GET",
  path: "/sandboxes/{sandboxId}/assets",
  operationId: "listSandboxAssets",
  tag: "sandboxes",
  summary: "List the assets of a sandbox",
  description: "Installable artifacts of a sandbox, newest `updatedAt` first.",
  cost: 3,
  input: zListSandboxAssetsInput,
  failures: [404],
  output: zListSandboxAssetsOutput,
  resolve: async ({ ctx, input: { sandboxId, platform, page, limit } }) => {
    const request = { sandboxId, platforms: commaList(platform), page, pageSize: limit };
    const answer = await callUpstream(ctx, "catalog.ListSandboxAssets", (options) =>
      ctx.clients.catalog.listSandboxAssets(request, options),
    );
    return {
      elements: answer.assets.map(sandboxAssetOf),
      page,
      limit,
      count: Number(answer.totalSize),
    };
  },
});
