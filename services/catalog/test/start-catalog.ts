import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type {
  CatalogObservationSchema,
  IngestCatalogResponse,
} from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { migrate, openDatabase } from "@storefront/database";
import type { Database, DatabaseOptions } from "@storefront/database";
import type { RunningServer } from "@storefront/rpc";
import { ingestToken, serveForTests, silentLogger } from "@storefront/service-process/testing";
import { catalogService } from "../src/catalog-service.ts";

export type CatalogRecord = NonNullable<
  MessageInitShape<typeof CatalogObservationSchema>["record"]
>;
export type CatalogObservation = MessageInitShape<typeof CatalogObservationSchema>;

/** A running catalog, with a client for each of its services and ports. */
export interface RunningCatalog {
  database: Database;
  server: RunningServer;
  /** Over the Connect port. */
  catalog: Client<typeof CatalogService>;
  /** Over the gRPC port. */
  catalogOverGrpc: Client<typeof CatalogService>;
  /** Over the gRPC port, with the token. */
  ingestClient: Client<typeof CatalogIngestService>;
  /** Sends one batch. */
  ingest(observations: CatalogObservation[]): Promise<IngestCatalogResponse>;
  stop(): Promise<void>;
}

/** Opens and migrates the database, and serves the catalog on free ports. */
export async function startCatalog(options: DatabaseOptions): Promise<RunningCatalog> {
  const database = await openDatabase(options);
  await migrate(database, catalogService.migrations);
  const served = await serveForTests(
    "catalog",
    catalogService.create({ database, ingestTokens: [ingestToken], logger: silentLogger }),
  );
  const ingestClient = createClient(CatalogIngestService, served.grpc);
  return {
    database,
    server: served.server,
    catalog: createClient(CatalogService, served.connect),
    catalogOverGrpc: createClient(CatalogService, served.grpc),
    ingestClient,
    ingest: (observations) => ingestBatch(ingestClient, observations),
    async stop() {
      await served.close();
      await database.close();
    },
  };
}

async function ingestBatch(
  client: Client<typeof CatalogIngestService>,
  observations: CatalogObservation[],
): Promise<IngestCatalogResponse> {
  async function* requests() {
    yield { observations };
  }
  for await (const response of client.ingestCatalog(requests())) return response;
  throw new Error("the catalog did not respond to the batch");
}

/** An observation of a record, by default at a fixed time. */
export function seen(record: CatalogRecord, at = "2024-01-01T00:00:00Z"): CatalogObservation {
  return { observedAt: timestampFromDate(new Date(at)), record };
}

/** A time as in messages. */
export function instant(text: string) {
  return timestampFromDate(new Date(text));
}

/** An observation of an offer in the sandbox `calluna`. */
export function offer(
  id: string,
  {
    modified,
    ...members
  }: {
    title?: string;
    offerType?: string;
    seller?: { id?: string; name?: string };
    modified?: string;
  },
): CatalogObservation {
  const lastModifiedDate = modified === undefined ? undefined : instant(modified);
  const value = { id, namespace: "calluna", ...members };
  return seen({
    case: "offer",
    value: { ...value, ...(lastModifiedDate && { lastModifiedDate }) },
  });
}
