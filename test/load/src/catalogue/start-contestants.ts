import { freePort } from "@storefront/testkit";
import { writeFile } from "node:fs/promises";
import { shownRegion } from "../../peers/region.ts";
import { startChild } from "../child-process.ts";
import { startImportedStack } from "../start-imported-stack.ts";
import { createBenchRecords } from "./bench-records.ts";
import type { BenchRecords } from "./bench-records.ts";
import { fillPeerTables } from "./fill-peer-tables.ts";
import { startGatewayProcess } from "./start-gateway-process.ts";

/** The servers to compare, on the same data and database server. */
export interface Contestants {
  records: BenchRecords;
  /** Base URL of our gateway with its response cache. */
  cachedUrl: string;
  /** Base URL of our gateway without a response cache. */
  uncachedUrl: string;
  /** Host and port of our catalog service's gRPC port. */
  catalogGrpcAddress: string;
  /** Base URL of Nest on Fastify in front of a Nest gRPC microservice. */
  nestUrl: string;
  /** Host and port of that microservice. */
  nestGrpcAddress: string;
  /** Base URL of Fastify and node-postgres in one process. */
  fastifyUrl: string;
  stop(): Promise<void>;
}

/** Starts all of them, over one catalogue on one PostgreSQL server. @param offerCount default 2,000 */
export async function startContestants(offerCount = 2000): Promise<Contestants> {
  await using started = new AsyncDisposableStack();
  async function startPeer(file: string, args: readonly string[]): Promise<number> {
    const { child, first } = await startChild(file, args);
    started.defer(() => child.stop());
    return (first as { port: number }).port;
  }
  const catalogue = await startImportedStack({
    async write(file) {
      const made = createBenchRecords(shownRegion, offerCount);
      await writeFile(file, made.observations.map((each) => `${JSON.stringify(each)}\n`).join(""));
      return made;
    },
    indexed: ({ offers }) => ({ search: { limit: 1 }, total: offers.length }),
    fillPeer: fillPeerTables,
  });
  started.defer(() => catalogue.stop());
  const { records, databaseUrl, stack } = catalogue;
  const uncached = await startGatewayProcess(stack.services, { RESPONSE_CACHE_MIB: "0" });
  started.defer(() => uncached.stop());
  const fastifyPort = await startPeer("../peers/fastify-server.ts", [databaseUrl]);
  const nestGrpcPort = await freePort();
  await startPeer("../peers/nest/microservice.ts", [databaseUrl, String(nestGrpcPort)]);
  const nestGrpcAddress = `127.0.0.1:${nestGrpcPort}`;
  const nestPort = await startPeer("../peers/nest/gateway.ts", [nestGrpcAddress]);
  const resources = started.move();
  return {
    records,
    cachedUrl: stack.gatewayUrl,
    uncachedUrl: uncached.url,
    catalogGrpcAddress: stack.services["catalog"]?.grpcAddress ?? "",
    nestUrl: `http://127.0.0.1:${nestPort}`,
    nestGrpcAddress,
    fastifyUrl: `http://127.0.0.1:${fastifyPort}`,
    stop: () => resources.disposeAsync(),
  };
}
