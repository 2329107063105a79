import { runCli } from "@storefront/testkit";
import { appendFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { catalogOddities } from "./catalog-oddities.ts";
import { danglingObservations, oddObservations } from "./search-oddities.ts";

/** Writes a generated catalogue with the given number of offers, followed by all odd records, as gzipped NDJSON. */
export async function writeOddCatalogue(file: string, offers: number): Promise<void> {
  await runCli(["generate", "--offers", String(offers), "--seed", "7", "--out", file]);
  const odd = [...danglingObservations, ...catalogOddities, ...oddObservations];
  const lines = odd.map((observation) => `${JSON.stringify(observation)}\n`);
  await appendFile(file, gzipSync(lines.join("")));
}
