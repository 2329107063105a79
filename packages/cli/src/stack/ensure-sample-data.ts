import { createClient } from "@connectrpc/connect";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { createTransport } from "@storefront/rpc";
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";
import { UserError } from "../user-error.ts";
import { dataFile, readIfPresent, writeFileWhole } from "./data-directory.ts";
import type { SampleDataOptions } from "./sample-data-process.ts";
import type { ServiceAddress } from "./data-directory.ts";

/** Options of sample data. */
export interface EnsureSampleDataOptions {
  dataDirectory: string;
  databaseUrl: string;
  /** Offers to generate on the first start; undefined for none. */
  offers: number | undefined;
  addresses: Readonly<Record<"catalog", ServiceAddress>> & Readonly<Record<string, ServiceAddress>>;
  /** The ingest token of a service. */
  tokenOf: (service: string) => Promise<string | undefined>;
  /** Aborts the generation; the next start completes it. */
  signal: AbortSignal;
}

// Every first start makes the same catalogue, current at its own time.
const seed = 1;

/**
 * Generates sample data on the first start on an empty database, and completes the unfinished data of an
 * earlier start.
 *
 * @throws UserError when it cannot be stored.
 */
export async function ensureSampleData(options: EnsureSampleDataOptions): Promise<void> {
  const { dataDirectory, databaseUrl, addresses, tokenOf } = options;
  const remember = (marker: SampleDataMarker) =>
    writeSampleDataMarker(dataDirectory, databaseUrl, marker);

  const marker = await readSampleDataMarker(dataDirectory, databaseUrl);
  if (marker?.state === "complete" || marker?.state === "none") return;
  const isWanted = marker !== undefined || (await isCatalogueEmpty(addresses.catalog.url));
  if (options.offers === undefined || !isWanted) return await remember({ state: "none" });

  const plan = {
    offers: marker?.offers ?? options.offers,
    seed: marker?.seed ?? seed,
    now: marker?.now ?? new Date().toISOString(),
  };
  await remember({ state: "started", ...plan });
  const services = Object.entries(addresses);
  const grpcAddresses = services.map(([service, { grpcAddress }]) => [service, grpcAddress]);
  const tokens = services.map(async ([service]) => [service, await tokenOf(service)]);
  await makeSampleDataAside(
    {
      ...plan,
      now: new Date(plan.now),
      grpcAddresses: Object.fromEntries(grpcAddresses),
      tokens: Object.fromEntries(await Promise.all(tokens)),
    },
    options.signal,
  );
  await remember({ state: "complete", ...plan });
}

async function isCatalogueEmpty(url: string): Promise<boolean> {
  const transport = createTransport({ baseUrl: url });
  try {
    const client = createClient(CatalogService, transport);
    const { totalSize } = await client.listItems({ pageSize: 1 });
    return totalSize === 0n;
  } finally {
    await transport.close();
  }
}

const program = fileURLToPath(new URL("sample-data-process.ts", import.meta.url));

/**
 * Generates sample data in a process of its own: the gateway's would retain some
 * 100 MiB of memory. It writes to this process's standard error, and ends with it.
 *
 * @param ending aborts it.
 * @throws UserError with the reason when it fails, AbortError when it is aborted.
 */
async function makeSampleDataAside(options: SampleDataOptions, ending: AbortSignal): Promise<void> {
  const child = fork(program, [], {
    stdio: ["ignore", 2, 2, "ipc"],
    serialization: "advanced",
    // The options of this process may be a test's or a profiler's.
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() },
    signal: ending,
  });
  let failure: string | undefined;
  child.once("message", (message: string) => {
    failure = message;
  });
  // An end before the message is sent is reported by `close`.
  child.send(options, () => undefined);
  const [status, signal] = await once(child, "close");
  if (status === 0) return;
  throw new UserError(failure ?? `The sample data was not made (${signal ?? `status ${status}`}).`);
}

/**
 * The stored state of the sample data of one database. `started` without `complete`
 * means that the import was interrupted: it is repeated with the same parameters, which generates the
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

/** Only this module writes the file, so its form is known. */
function markersIn(text: string): Record<string, SampleDataMarker> {
  return JSON.parse(text) as Record<string, SampleDataMarker>;
}

/** Identifies a database without its password. */
function keyOf(databaseUrl: string): string {
  if (databaseUrl.startsWith("pglite:")) return "embedded";
  return createHash("sha256").update(databaseUrl).digest("hex").slice(0, 16);
}
