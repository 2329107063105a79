import { runCli } from "@storefront/testkit";
import { appendFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { catalogOddities } from "./catalog-oddities.ts";
import { danglingObservations, oddObservations } from "./search-oddities.ts";

/** Writes a generated catalogue of so many offers, and after it all odd records, as NDJSON compressed with gzip. */
export async function writeOddCatalogue(file: string, offers: number): Promise<void> {
  await runCli(["generate", "--offers", String(offers), "--seed", "7", "--out", file]);
  const odd = [...danglingObservations, ...catalogOddities, ...oddObservations];
  const lines = odd.map((observation) => `${JSON.stringify(observation)}\n`);
  await appendFile(file, gzipSync(lines.join("")));
}
