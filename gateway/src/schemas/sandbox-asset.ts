import { z } from "zod";
import { zInstant, zSizeBytes, zText } from "./members.ts";

/** An installable artifact on one platform. */
export const zSandboxAsset = z
  .object({
    artifactId: z.string(),
    itemId: zText,
    namespace: z.string(),
    platform: z.string().meta({ example: "Windows" }),
    title: zText,
    downloadSizeBytes: zSizeBytes,
    installedSizeBytes: zSizeBytes,
    updatedAt: zInstant,
    id: zText,
  })
  .meta({ id: "SandboxAsset", description: "An installable artifact of an item on a platform." });

export type SandboxAsset = z.output<typeof zSandboxAsset>;
