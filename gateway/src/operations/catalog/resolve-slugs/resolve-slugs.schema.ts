import { z } from "zod";
import { zText } from "../../../schemas/parameters.ts";

const slugsRule = "must be an array of 1 to 1000 slugs";

export const zResolveSlugsInput = z.object({
  slugs: z
    .array(zText(512), slugsRule)
    .min(1, slugsRule)
    .max(1000, slugsRule)
    .meta({ description: "Slugs to resolve.", example: ["moonlit-harbour", "iron-orchard/home"] }),
});

export const zResolveSlugsOutput = z.array(
  z
    .object({
      slug: z.string().meta({ description: "As submitted.", example: "moonlit-harbour" }),
      id: z.string().nullable().meta({
        description: "Id of the offer; null when unknown.",
        example: "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
      }),
      namespace: z
        .string()
        .nullable()
        .meta({ description: "Sandbox of the offer; null when unknown.", example: "calluna" }),
    })
    .meta({ id: "SlugMapping", description: "What stands behind a slug." }),
);
