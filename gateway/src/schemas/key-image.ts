import { z } from "zod";
import { zText } from "./members.ts";

/** A picture of an offer or item. */
export const zKeyImage = z
  .object({
    type: zText.meta({ description: "Role of the picture.", example: "OfferImageWide" }),
    url: zText.meta({ description: "Address as the source gives it; may be relative." }),
    width: z.int().nullable().meta({ description: "Pixels." }),
    height: z.int().nullable().meta({ description: "Pixels." }),
    md5: zText.meta({ description: "MD5 digest of the picture's bytes." }),
  })
  .meta({ id: "KeyImage", description: "A picture of an offer or item." });

export type KeyImage = z.output<typeof zKeyImage>;
