import { z } from "zod";
import { zInstant, zSizeBytes, zText } from "./members.ts";

/** An installable artifact on one platform. */
export const zSandboxAsset = z
  .object({
    artifactId: z.string().meta({
      description: "Name of the application; changes are kept under it.",
      example: "Calluna",
    }),
    itemId: zText.meta({
      description: "The item that the asset belongs to.",
      example: "7a1e4c9d2b8f4063a5d7c0e1f2b39486",
    }),
    namespace: z.string().meta({ description: "Sandbox of the asset.", example: "calluna" }),
    platform: z.string().meta({ description: "What it runs on.", example: "Windows" }),
    title: zText.meta({ description: "Name of the asset.", example: "Moonlit Harbour" }),
    downloadSizeBytes: zSizeBytes.meta({ description: "Bytes to download.", example: 2147483648 }),
    installedSizeBytes: zSizeBytes.meta({ description: "Bytes on disk.", example: 4831838208 }),
    updatedAt: zInstant.meta({ description: "When the asset was last changed." }),
    id: zText.meta({ description: "Id of the asset at its source.", example: "a-5d41402abc4b" }),
  })
  .meta({ id: "SandboxAsset", description: "An installable artifact of an item on a platform." });

export type SandboxAsset = z.output<typeof zSandboxAsset>;
