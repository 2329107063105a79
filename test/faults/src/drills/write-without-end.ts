import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { setTimeout } from "node:timers/promises";
import type { CatalogObservation, PricingObservation } from "./random-observations.ts";
import { ingestToken } from "./start-fleet.ts";
import type { Fleet } from "./start-fleet.ts";

/** Observations of one batch. */
const batchSize = 10;

/** A batch that is not answered by then is sent again, in milliseconds. */
const answerTimeoutMs = 3000;

/** What is written. */
export interface Written {
  catalog: (observedAt: Timestamp) => CatalogObservation;
  pricing: (observedAt: Timestamp) => PricingObservation;
  /** Between two batches of a service, in milliseconds; default 30: a steady flow, not a flood. */
  pauseMs?: number;
}

/** Writers that go on until they are stopped. */
export interface Writers {
  /** Batches that got a response. */
  readonly answered: number;
  /** Waits for the batches in progress. */
  stop(): Promise<void>;
}

/** Writes records and prices; what is not answered is sent again. */
export function writeWithoutEnd(
  fleet: Pick<Fleet, "grpcPort">,
  { catalog, pricing, pauseMs = 30 }: Written,
): Writers {
  const stopping = new AbortController();
  let answered = 0;
  let clockMs = Date.now();
  // Observations of one record may not stand at one moment.
  const now = () => timestampFromDate(new Date((clockMs = Math.max(clockMs + 1, Date.now()))));

  async function write<Observation>(
    service: "catalog" | "pricing",
    make: () => Observation,
    send: (port: number, batch: Observation[]) => Promise<void>,
  ): Promise<void> {
    while (!stopping.signal.aborted) {
      const batch = Array.from({ length: batchSize }, make);
      for (let isAnswered = false; !isAnswered && !stopping.signal.aborted;) {
        const port = fleet.grpcPort(service);
        // What keeps it from being stored ends; then it is stored.
        isAnswered = port !== undefined && (await hasSucceeded(send(port, batch)));
        await setTimeout(pauseMs);
      }
      answered += 1;
    }
  }

  const running = Promise.all([
    write("catalog", () => catalog(now()), sendToCatalog),
    write("pricing", () => pricing(now()), sendToPricing),
  ]);
  return {
    get answered() {
      return answered;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Whether work ends well. */
export async function hasSucceeded(work: Promise<void>): Promise<boolean> {
  return await work.then(
    () => true,
    () => false,
  );
}

const callOptions = { timeoutMs: answerTimeoutMs };

/** Sends a batch, and resolves once it is stored. */
export async function sendToCatalog(
  port: number,
  observations: CatalogObservation[],
): Promise<void> {
  const transport = createGrpcTransport({ address: `127.0.0.1:${port}`, token: ingestToken });
  try {
    const client = createClient(CatalogIngestService, transport);
    const answers = client.ingestCatalog(once({ observations }), callOptions);
    await answers[Symbol.asyncIterator]().next();
  } finally {
    await transport.close();
  }
}

/** Sends a batch, and resolves once it is stored. */
export async function sendToPricing(
  port: number,
  observations: PricingObservation[],
): Promise<void> {
  const transport = createGrpcTransport({ address: `127.0.0.1:${port}`, token: ingestToken });
  try {
    const client = createClient(PricingIngestService, transport);
    const answers = client.ingestPricing(once({ observations }), callOptions);
    await answers[Symbol.asyncIterator]().next();
  } finally {
    await transport.close();
  }
}

async function* once<Message>(message: Message): AsyncGenerator<Message> {
  yield message;
}
