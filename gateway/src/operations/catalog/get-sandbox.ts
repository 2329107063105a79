import { z } from "zod";
import { zIdentifier } from "../../schemas/parameters.ts";
import { zSandbox, sandboxOf } from "../../records/sandbox.ts";
import { answered } from "../../upstream/answered.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

export const getSandbox = operation({
  method: "GET",
  path: "/sandboxes/{sandboxId}",
  operationId: "getSandbox",
  tag: "sandboxes",
  summary: "Get a sandbox",
  description: "One sandbox by its namespace or sandbox id.",
  input: z.object({
    sandboxId: zIdentifier("Namespace or sandbox id.", "calluna"),
  }),
  failures: [404],
  output: zSandbox,
  resolve: async ({ ctx, input }) => {
    const { sandbox } = await callUpstream(ctx, "catalog.GetSandbox", (options) =>
      ctx.clients.catalog.getSandbox({ sandboxId: input.sandboxId }, options),
    );
    return sandboxOf(answered(sandbox, "catalog.GetSandbox"));
  },
});
