import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { createGrpcTransport, serve } from "@storefront/rpc";
import type { ClosableTransport, RunningServer } from "@storefront/rpc";
import { catalogService } from "@storefront/service-catalog";
import { createLogger, createMetrics } from "@storefront/process";
import { freePort, memoryDatabase, openFaultyLink } from "@storefront/testkit";
import type { FaultyLink } from "@storefront/testkit";

const token = "a-token-for-this-test";
const logger = createLogger({ service: "test", level: "silent" });

/** A catalog service on PGlite, reached over a link that can be disturbed. */
export interface LinkedCatalog {
  readonly database: Database;
  readonly link: FaultyLink;
  /** Token that ingest and export send. */
  readonly token: string;
  readonly isRunning: () => boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A connection over the link. */
  connect(sentToken?: string): ClosableTransport;
  countTags(): Promise<number>;
  countWrites(): Promise<number>;
  /** Stops it and removes its records. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openLinkedCatalog(): Promise<LinkedCatalog> {
  const database = await openDatabase(await memoryDatabase("schemas"));
  await migrate(database, catalogService.migrations);
  const grpcPort = await freePort();
  const link = await openFaultyLink(() => grpcPort);
  let server: RunningServer | undefined;
  const count = async (table: string) => {
    const sql = `select count(*)::int4 as count from catalog.${table}`;
    return (await database.readOne<{ count: number }>(sql))?.count ?? 0;
  };
  const stop = async () => {
    await server?.close();
    server = undefined;
  };
  return {
    database,
    link,
    token,
    isRunning: () => server !== undefined,
    async start() {
      const { services } = catalogService.create({ database, ingestTokens: [token], logger });
      const metrics = createMetrics({ service: "test" });
      const listening = { port: 0, grpcPort, host: "127.0.0.1", shutdownTimeoutMs: 0 };
      server = await serve({ name: "catalog", services, logger, metrics, ...listening });
    },
    stop,
    connect: (sentToken = token) =>
      createGrpcTransport({ address: `127.0.0.1:${link.port}`, token: sentToken }),
    countTags: () => count("tag"),
    countWrites: () => count("change_log"),
    async reset() {
      await stop();
      link.cut();
      link.heal();
      await database.write("truncate catalog.tag, catalog.change_log");
    },
    async close() {
      await stop();
      await link.close();
      await database.close();
    },
  };
}
