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
import { createGrpcTransport, createTransport, serve } from "@storefront/rpc";
import type { ClosableTransport, RunningServer } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { catalogService } from "../src/index.ts";

export type CatalogRecord = NonNullable<
  MessageInitShape<typeof CatalogObservationSchema>["record"]
>;
export type CatalogObservation = MessageInitShape<typeof CatalogObservationSchema>;

export const ingestToken = "a-token-for-the-tests";

/** A catalog that listens, with a client for each of its services and ports. */
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

/** Opens and migrates the database, serves the catalog on ports of the system's choice. */
export async function startCatalog(options: DatabaseOptions): Promise<RunningCatalog> {
  const database = await openDatabase(options);
  const logger = createLogger({ service: "catalog", level: "silent" });
  await migrate(database, catalogService.migrations);
  const server = await serve({
    ...catalogService.create({ database, ingestTokens: [ingestToken], logger }),
    name: "catalog",
    host: "127.0.0.1",
    port: 0,
    grpcPort: 0,
    logger,
    metrics: createMetrics({ service: "catalog" }),
  });
  const connect = createTransport({ baseUrl: `http://127.0.0.1:${server.port}` });
  const grpc = createGrpcTransport({
    address: `127.0.0.1:${server.grpcPort}`,
    token: ingestToken,
  });
  const ingestClient = createClient(CatalogIngestService, grpc);
  const transports: ClosableTransport[] = [connect, grpc];
  return {
    database,
    server,
    catalog: createClient(CatalogService, connect),
    catalogOverGrpc: createClient(CatalogService, grpc),
    ingestClient,
    ingest: (observations) => ingestBatch(ingestClient, observations),
    async stop() {
      await Promise.all(transports.map((transport) => transport.close()));
      await server.close();
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
  for await (const answer of client.ingestCatalog(requests())) return answer;
  throw new Error("the catalog did not answer the batch");
}

/** What was seen of a record, by default at one fixed time. */
export function seen(record: CatalogRecord, at = "2024-01-01T00:00:00Z"): CatalogObservation {
  return { observedAt: timestampFromDate(new Date(at)), record };
}

/** A time as messages hold it. */
export function instant(text: string) {
  return timestampFromDate(new Date(text));
}
