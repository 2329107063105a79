import type { Random } from "./random.ts";

/** What a program takes up, in bytes. */
export interface Sizes {
  readonly downloadSizeBytes: number;
  readonly installedSizeBytes: number;
}

const smallestBytes = 50_000_000;

/** Sizes from 50 MB to 120 GB, spread evenly over the orders of magnitude. */
export function createSizes(random: Random): Sizes {
  const downloadSizeBytes = Math.floor(smallestBytes * 2400 ** random.unit());
  const installedSizeBytes = Math.floor(downloadSizeBytes * (1.1 + 0.9 * random.unit()));
  return { downloadSizeBytes, installedSizeBytes };
}
