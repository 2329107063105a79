import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

/** One line of the import format. */
export interface Observation {
  kind: string;
  op?: string;
  observedAt: string;
  record: Readonly<Record<string, unknown>>;
}

/** The observations of an import file, plain or gzip, in their order. */
export async function readObservations(file: string): Promise<Observation[]> {
  const bytes = await readFile(file);
  const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Observation);
}
