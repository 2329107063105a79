import { z } from "zod";
import { zInstant, zText } from "./members.ts";

/** A namespace. */
export const zSandbox = z
  .object({
    _id: z.string(),
    id: z.string(),
    namespace: z.string(),
    title: zText,
    displayName: zText,
    updated: zInstant,
    status: zText,
    store: zText,
    slug: zText,
    createdAt: zInstant,
  })
  .meta({ id: "Sandbox", description: "The room in which a product's offers and items live." });

export type Sandbox = z.output<typeof zSandbox>;
