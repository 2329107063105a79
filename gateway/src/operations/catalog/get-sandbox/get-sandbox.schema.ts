import { z } from "zod";
import { zIdentifier } from "../../../schemas/parameters.ts";
import { zSandbox } from "../../../schemas/sandbox.ts";

export const zGetSandboxInput = z.object({
  sandboxId: zIdentifier("Namespace or sandbox id.", "calluna"),
});

export const zGetSandboxOutput = zSandbox;
