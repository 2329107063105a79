import { generateCatalogue } from "@storefront/sample-data";
import type { Observation } from "@storefront/sample-data";
import { sharedData } from "@storefront/testkit";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";

/** An import file, not compressed. */
export interface History {
  lines: number;
  /** Whether it is the real one. */
  isReal: boolean;
}

const generatedOffers = 3000;
const generatedDays = 6;
const dayMs = 24 * 60 * 60 * 1000;
const seed = "history";
const now = new Date("2026-01-01T00:00:00Z");

/** Writes the real year of observations where it is at hand, else as many that are generated. */
export async function writeHistory(file: string): Promise<History> {
  const shared = sharedData();
  const source = shared === undefined ? generatedLines() : realLines(shared.importFiles.history);
  const stream = createWriteStream(file);
  let lines = 0;
  for await (const line of source) {
    lines++;
    if (!stream.write(`${line}\n`)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "finish");
  return { lines, isReal: shared !== undefined };
}

function realLines(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file).pipe(createGunzip()) });
}

/** The offers and items of a catalogue, and on each of the following days a new state of them. */
function* generatedLines(): Generator<string> {
  const kinds = new Set(["offer", "item"]);
  const newest = new Map(
    generateCatalogue({ offers: generatedOffers, seed, now })
      .filter(({ kind }) => kinds.has(kind))
      .map((observation) => [identityOf(observation), observation]),
  );
  const first = [...newest.values()];
  for (let day = 0; day < generatedDays; day++) {
    for (const { kind, op, observedAt, record } of first) {
      const seenAt = new Date(Date.parse(observedAt) + day * dayMs).toISOString();
      const state = day === 0 ? record : { ...record, title: `Title of day ${day}` };
      yield JSON.stringify({ kind, op, observedAt: seenAt, record: state });
    }
  }
}

function identityOf({ kind, record }: Observation): string {
  return `${kind} ${"id" in record ? record.id : ""}`;
}
