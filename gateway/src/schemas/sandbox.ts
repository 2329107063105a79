import { z } from "zod";
import { zInstant, zText } from "./members.ts";

/** A namespace. */
export const zSandbox = z
  .object({
    _id: z.string().meta({
      description: "Id of the sandbox; the namespace where it has no other.",
      example: "s-calluna",
    }),
    id: z.string().meta({ description: "The same as `_id`.", example: "s-calluna" }),
    namespace: z
      .string()
      .meta({ description: "Name that offers and items carry.", example: "calluna" }),
    title: zText.meta({ description: "Title for people.", example: "Moonlit Harbour" }),
    displayName: zText.meta({
      description: "Name for people, where it differs from the title.",
      example: "Moonlit Harbour",
    }),
    updated: zInstant.meta({ description: "When the sandbox was last changed." }),
    status: zText.meta({ description: "State of the record at its source.", example: "ACTIVE" }),
    store: zText.meta({ description: "Storefront of the sandbox.", example: "main" }),
    slug: zText.meta({ description: "Slug of the product page.", example: "moonlit-harbour" }),
    createdAt: zInstant.meta({ description: "When the sandbox was made." }),
  })
  .meta({ id: "Sandbox", description: "The room in which a product's offers and items live." });

export type Sandbox = z.output<typeof zSandbox>;
