import { identifier } from "./identifier.ts";
import type { Random } from "./random.ts";
import type { Seed } from "./seed.ts";
import type { Sizes } from "./size.ts";
import { iso, minuteMs } from "./time.ts";

/** A manifest that has just been found. */
export const unreadManifest = {
  status: "processing",
  canonicalHash: null,
  sourceHash: null,
  parserVersion: null,
  processedAt: null,
  fileCount: null,
  fileBytes: null,
  errorCode: null,
};

/** What became of the less usual manifests. */
const unusualStatuses = ["legacy_unverified", "processing", "invalid", "unavailable", "failed"];

const errorCodes: Readonly<Record<string, string>> = {
  invalid: "CHECKSUM_MISMATCH",
  unavailable: "NOT_PUBLISHED",
  failed: "PARSER_TIMEOUT",
};

/** What is known of a build's list of files, or null in 3 % of the builds. */
export function createManifest(
  random: Random,
  seed: Seed,
  buildNumber: number,
  updatedMs: number,
  sizes: Sizes,
) {
  if (random.chance(0.03)) return null;
  const status = random.chance(0.75) ? "verified" : random.pick(unusualStatuses);
  const parsed = status === "verified" || status === "legacy_unverified";
  return {
    status,
    canonicalHash: parsed ? identifier(seed, "manifest", buildNumber, 40) : null,
    sourceHash: random.chance(0.8) ? identifier(seed, "build", buildNumber, 40) : null,
    parserVersion: parsed ? random.pick(["2.5.1", "3.0.0", "3.1.0"]) : null,
    processedAt: parsed ? iso(updatedMs + random.integer(1, 20) * minuteMs) : null,
    fileCount: parsed ? random.integer(12, 60_000) : null,
    fileBytes: parsed ? sizes.installedSizeBytes : null,
    errorCode: errorCodes[status] ?? null,
  };
}
