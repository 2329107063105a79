import { z } from "zod";
import { zChangelogEntry } from "../../records/changelog-entry.ts";

/** Members of every answer that lists changelog entries as hits. */
export const entryHitsShape = {
  hits: z.array(zChangelogEntry).meta({ description: "The entries of the page." }),
  estimatedTotalHits: z.int().min(0).meta({
    description: "Number of matching entries on all pages; exact without a text.",
    example: 128,
  }),
  processingTimeMs: z.int().min(0).meta({ description: "Milliseconds it took.", example: 6 }),
  query: z.string().meta({ description: "The text searched for, trimmed.", example: "harbour" }),
};

/** Whole milliseconds since a moment on the clock of `performance.now()`. */
export function processingTimeSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
