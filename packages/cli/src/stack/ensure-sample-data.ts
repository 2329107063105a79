import { createClient } from "@connectrpc/connect";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { createTransport } from "@storefront/rpc";
import { makeSampleDataAside } from "./make-sample-data-aside.ts";
import { readSampleDataMarker, writeSampleDataMarker } from "./sample-data-marker.ts";
import type { SampleDataMarker } from "./sample-data-marker.ts";
import type { ServiceAddress } from "./service-address.ts";

/** What decides about sample data. */
export interface EnsureSampleDataOptions {
  dataDirectory: string;
  databaseUrl: string;
  /** Offers to make on the first start; undefined to make none. */
  offers: number | undefined;
  addresses: Readonly<Record<"catalog", ServiceAddress>> & Readonly<Record<string, ServiceAddress>>;
  /** The ingest token of a service. */
  tokenOf: (service: string) => Promise<string | undefined>;
  /** Breaks the making off; the next start completes it. */
  signal: AbortSignal;
}

// Every first start makes the same catalogue, current at its own time.
const seed = 1;

/**
 * Makes sample data on the first start on an empty database, and completes what an earlier start
 * left unfinished.
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
