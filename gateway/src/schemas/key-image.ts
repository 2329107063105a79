import { z } from "zod";
import { zText } from "./members.ts";

/** A picture of an offer or item. */
export const zKeyImage = z
  .object({
    type: zText.meta({ description: "Role of the picture.", example: "OfferImageWide" }),
    url: zText.meta({
      description: "Address as the source gives it; may be relative.",
      example: "https://images.example.com/calluna/wide.jpg",
    }),
    width: z.int().nullable().meta({ description: "Pixels.", example: 2560 }),
    height: z.int().nullable().meta({ description: "Pixels.", example: 1440 }),
    md5: zText.meta({
      description: "MD5 digest of the picture's bytes.",
      example: "9e107d9d372bb6826bd81d3542a419d6",
    }),
  })
  .meta({ id: "KeyImage", description: "A picture of an offer or item." });

export type KeyImage = z.output<typeof zKeyImage>;
