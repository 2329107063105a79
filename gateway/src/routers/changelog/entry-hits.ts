import { z } from "zod";
import { zChangelogEntry } from "../../schemas/changelog-entry.ts";

/** Members of every answer that lists changelog entries as hits. */
export const entryHitsShape = {
  hits: z.array(zChangelogEntry),
  estimatedTotalHits: z
    .int()
    .min(0)
    .meta({ description: "Number of matching entries on all pages; exact without a text." }),
  processingTimeMs: z.int().min(0).meta({ description: "Milliseconds it took." }),
  query: z.string().meta({ description: "The text searched for, trimmed." }),
};

/** Whole milliseconds since a moment on the clock of `performance.now()`. */
export function processingTimeSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
