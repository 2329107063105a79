import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { startGatewayProcess } from "../catalogue/start-gateway-process.ts";
import { startHttpLoad } from "../http-load.ts";
import type { HttpLoad } from "../http-load.ts";
import { measureInTurn } from "../measure-in-turn.ts";
import { writePaced } from "../paced-writes.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import type { Row } from "../row.ts";

const keptOffers = 25;
const connections = 32;
const writesPerSecond = 200;

/**
 * Row 13: what kept answers are worth while others are written. The peer's gateway follows another
 * stack, so that both have as little of the machine beside the writes.
 */
export const writesBeside: Row = {
  number: 13,
  case: `cached GETs of offers and overviews, ${connections} connections, beside ${writesPerSecond} unrelated writes/s; peer: beside the same writes to another stack`,
  goal: 0.9,
  async measure(report, settings) {
    const { roundSeconds, rounds } = settings;
    const stops: (() => Promise<unknown>)[] = [];
    const paths = keptIds().flatMap((id) => [`/offers/${id}`, `/offers/${id}/overview`]);
    async function start() {
      const started = await startPostgresStack();
      stops.push(() => started.stop());
      await writeKept(started);
      const gateway = await startGatewayProcess(started.stack.services, {});
      stops.push(() => gateway.stop());
      const load = await startHttpLoad({ url: gateway.url, paths, connections, roundSeconds });
      stops.push(() => load.stop());
      return { started, load };
    }
    try {
      const written = await start();
      const quiet = await start();
      const writes = roundSeconds * writesPerSecond;
      let firstIndex = 0;
      const besideWrites = (load: HttpLoad) => async () => {
        const paced = { writes, perSecond: writesPerSecond, firstIndex };
        firstIndex += writes;
        const writing = writePaced(written.started, paced, () => undefined);
        const [round] = await Promise.all([load.round(), writing]);
        return round;
      };
      return await measureInTurn(
        besideWrites(written.load),
        besideWrites(quiet.load),
        rounds,
        report,
      );
    } finally {
      for (const stop of stops.toReversed()) await stop();
    }
  },
};

function keptIds(): string[] {
  return Array.from({ length: keptOffers }, (_none, index) => `kept-${index}`);
}

async function writeKept({ stack, token }: PostgresStack): Promise<void> {
  const address = stack.services["catalog"]?.grpcAddress ?? "";
  const transport = createGrpcTransport({ address, token });
  const observedAt = timestampFromMs(Date.now());
  const observations = keptIds().map((id) => ({
    observedAt,
    record: { case: "offer", value: { id, namespace: `room-${id}`, title: id } } as const,
  }));
  try {
    const batches = (async function* () {
      yield { observations };
    })();
    const answers = createClient(CatalogIngestService, transport).ingestCatalog(batches);
    for await (const _ of answers);
  } finally {
    await transport.close();
  }
}
