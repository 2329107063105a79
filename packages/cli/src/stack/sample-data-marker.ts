import { createHash } from "node:crypto";
import { dataFile } from "./data-directory.ts";
import { readIfPresent } from "./read-if-present.ts";
import { writeFileWhole } from "./write-file-whole.ts";

/**
 * What a data directory remembers of the sample data of one database. `started` without `complete`
 * means that the import was interrupted: it is done again with the same parameters, which gives the
 * same records. `none` means that the database was started without sample data and stays so.
 */
export type SampleDataMarker =
  | { state: "none" }
  | { state: "started" | "complete"; offers: number; seed: number; now: string };

/** The marker of a database; undefined when it has not been started from this directory yet. */
export async function readSampleDataMarker(
  dataDirectory: string,
  databaseUrl: string,
): Promise<SampleDataMarker | undefined> {
  const text = await readIfPresent(dataFile.sampleData(dataDirectory));
  return text === undefined ? undefined : markersIn(text)[keyOf(databaseUrl)];
}

export async function writeSampleDataMarker(
  dataDirectory: string,
  databaseUrl: string,
  marker: SampleDataMarker,
): Promise<void> {
  const path = dataFile.sampleData(dataDirectory);
  const text = await readIfPresent(path);
  const markers = text === undefined ? {} : markersIn(text);
  const next = { ...markers, [keyOf(databaseUrl)]: marker };
  await writeFileWhole(path, `${JSON.stringify(next, undefined, 2)}\n`);
}

/** The file is written by this module only, so its form is known. */
function markersIn(text: string): Record<string, SampleDataMarker> {
  return JSON.parse(text) as Record<string, SampleDataMarker>;
}

/** Tells databases apart without writing their passwords down. */
function keyOf(databaseUrl: string): string {
  if (databaseUrl.startsWith("pglite:")) return "embedded";
  return createHash("sha256").update(databaseUrl).digest("hex").slice(0, 16);
}
