import type { JsonObject } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { CatalogObservationSchema } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { ChangelogIngestService } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { HealthService } from "@storefront/contracts/health/v1/health_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { kinds as formats } from "@storefront/import-format";
import type { ClosableTransport } from "@storefront/rpc";
import { catalogService } from "@storefront/service-catalog";
import type { ServiceParts } from "@storefront/service-process";
import { ingestToken, serveForTests, silentLogger } from "@storefront/service-process/testing";
import type { TestDatabaseOptions } from "@storefront/testkit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { vi } from "vitest";
import { changelogService, createChangelogService } from "../../src/changelog-service.ts";

export type Observation = MessageInitShape<typeof CatalogObservationSchema>;

const kinds = ["sandbox", "offer", "item", "asset", "build"] as const;

/** Kinds of the changelog. */
export type Kind = (typeof kinds)[number];

/** A catalog and a changelog that follows it, on one database. */
export interface ChangelogFixture {
  database: Database;
  catalogPort: number;
  catalogGrpcAddress: string;
  changelogUrl: string;
  changelog: Client<typeof ChangelogService>;
  foreign: Client<typeof ChangelogIngestService>;
  health: Client<typeof HealthService>;
  feed: Client<typeof FeedService>;
  /** The changelog itself. */
  service: ServiceParts;
  ingest(observations: readonly Observation[]): Promise<IngestOutcome[]>;
  /** Resolves when the changelog has applied everything that the catalog has committed. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

export async function startFixture(
  options: TestDatabaseOptions,
  { follow = true } = {},
): Promise<ChangelogFixture> {
  const database = await openDatabase(options);
  await migrate(database, catalogService.migrations);
  await migrate(database, changelogService.migrations);
  const served = { database, ingestTokens: [ingestToken], logger: silentLogger };
  const catalog = await serveForTests("catalog", catalogService.create(served));
  const service = createChangelogService({ ...served, transportTo: () => catalog.connect });
  const changelog = await serveForTests("changelog", service);
  if (follow) service.start();
  return {
    database,
    catalogPort: catalog.server.port,
    catalogGrpcAddress: catalog.grpcAddress,
    changelogUrl: changelog.url,
    changelog: createClient(ChangelogService, changelog.connect),
    foreign: createClient(ChangelogIngestService, changelog.grpc),
    health: createClient(HealthService, changelog.connect),
    feed: createClient(FeedService, changelog.connect),
    service,
    ingest: (observations) => ingestInto(catalog.grpc, observations),
    caughtUp: () => caughtUp(database),
    async close() {
      await changelog.close();
      await service.close();
      await catalog.close();
      await database.close();
    },
  };
}

/** Sends observations to a catalog, up to 1,000 at a time. */
async function ingestInto(
  transport: ClosableTransport,
  observations: readonly Observation[],
): Promise<IngestOutcome[]> {
  async function* requests() {
    for (let start = 0; start < observations.length; start += 1_000) {
      yield { observations: observations.slice(start, start + 1_000) };
    }
  }
  const outcomes: IngestOutcome[] = [];
  const client = createClient(CatalogIngestService, transport);
  for await (const response of client.ingestCatalog(requests(), { timeoutMs: 600_000 })) {
    outcomes.push(...response.outcomes);
  }
  return outcomes;
}

/** The time of the n-th observation of a test, a second after the previous one. */
export function timeOf(n: number): Date {
  return new Date(Date.UTC(2024, 0, 1) + n * 1_000);
}

/** An observation of a record in the import format. */
export function upsert(kind: Kind, n: number, record: JsonObject): Observation {
  return observation(kind, n, record, ObservationOperation.UPSERT);
}

/** An observation that a record is deleted. */
export function remove(kind: Kind, n: number, identity: JsonObject): Observation {
  return observation(kind, n, identity, ObservationOperation.DELETE);
}

function observation(
  kind: Kind,
  n: number,
  json: JsonObject,
  operation: ObservationOperation,
): Observation {
  const record = { case: kind, value: formats.get(kind)?.read(json).record };
  return { operation, observedAt: timestampFromDate(timeOf(n)), record } as Observation;
}

/** `offer o1 +*`: the record that an entry is about, and its changes. */
export function brief({ contextType, contextId, changes }: Entry): string {
  const words = changes.map(({ changeType, field }) => `${"?+~-"[changeType]}${field}`);
  return `${contextType} ${contextId} ${words.join(",")}`;
}

/** Resolves when the changelog has applied everything that the catalog has committed. */
export async function caughtUp(database: Database): Promise<void> {
  const target = await database.readOne<{ newest: bigint }>(
    "select coalesce(max(seq), 0)::int8 as newest from catalog.change_log where kind = any($1)",
    [kinds],
  );
  const isCaughtUp = async () => {
    const cursor = await database.readOne<{ sequence: bigint }>(
      "select sequence from changelog.feed_cursor",
    );
    return (cursor?.sequence ?? 0n) >= (target?.newest ?? 0n);
  };
  await vi.waitUntil(isCaughtUp, { timeout: 20_000, interval: 5 });
}
