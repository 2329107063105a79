import { commaList } from "../../../schemas/parameters.ts";
import { sandboxAssetOf } from "../../../shape/sandbox-asset.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zListSandboxAssetsInput, zListSandboxAssetsOutput } from "./list-sandbox-assets.schema.ts";

export const listSandboxAssets = operation({
  method: "GET",
  path: "/sandboxes/{sandboxId}/assets",
  operationId: "listSandboxAssets",
  tag: "sandboxes",
  summary: "List the assets of a sandbox",
  description: "Installable artifacts of a sandbox, newest `updatedAt` first.",
  cost: 3,
  input: zListSandboxAssetsInput,
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
