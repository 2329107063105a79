import { z } from "zod";
import { zFlag, zInstant, zText } from "./members.ts";

/** A player's opinion of an offer. */
export const zReview = z
  .object({
    id: z.string(),
    rating: z.number().nullable().meta({ description: "0 (worst) to 10 (best).", example: 8.5 }),
    title: zText,
    content: zText,
    tags: z.array(z.string()),
    recommended: zFlag,
    verified: zFlag.meta({ description: "The author is known to own the product." }),
    createdAt: zInstant,
    updatedAt: zInstant,
    user: z
      .object({ id: zText, displayName: zText, avatarUrl: zText })
      .meta({ id: "ReviewUser", description: "Who wrote a review." }),
  })
  .meta({ id: "Review", description: "A player's opinion of an offer. A null member is unknown." });

export type Review = z.output<typeof zReview>;
