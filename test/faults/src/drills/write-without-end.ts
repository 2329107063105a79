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

/** A batch without a response by then is retried, in milliseconds. */
const responseTimeoutMs = 3000;

/** Sources of the written observations. */
export interface Written {
  catalog: (observedAt: Timestamp) => CatalogObservation;
  pricing: (observedAt: Timestamp) => PricingObservation;
  /** Pause between two batches of a service, in milliseconds; default 30: a steady flow, not a flood. */
  pauseMs?: number;
}

/** Writers that run until they are stopped. */
export interface Writers {
  /** Batches that got a response. */
  readonly acknowledged: number;
  /** Waits for the batches in progress. */
  stop(): Promise<void>;
}

/** Writes records and prices, and retries failed batches. */
export function writeWithoutEnd(
  fleet: Pick<Fleet, "grpcPort">,
  { catalog, pricing, pauseMs = 30 }: Written,
): Writers {
  const stopping = new AbortController();
  let acknowledged = 0;
  let clockMs = Date.now();
  // Observations of one record need distinct times.
  const now = () => timestampFromDate(new Date((clockMs = Math.max(clockMs + 1, Date.now()))));

  async function write<Observation>(
    service: "catalog" | "pricing",
    make: () => Observation,
    send: (port: number, batch: Observation[]) => Promise<void>,
  ): Promise<void> {
    while (!stopping.signal.aborted) {
      const batch = Array.from({ length: batchSize }, make);
      for (let isStored = false; !isStored && !stopping.signal.aborted;) {
        const port = fleet.grpcPort(service);
        // Every fault ends, and then the batch is stored.
        isStored = port !== undefined && (await hasSucceeded(send(port, batch)));
        await setTimeout(pauseMs);
      }
      acknowledged += 1;
    }
  }

  const running = Promise.all([
    write("catalog", () => catalog(now()), sendToCatalog),
    write("pricing", () => pricing(now()), sendToPricing),
  ]);
  return {
    get acknowledged() {
      return acknowledged;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Whether work succeeds. */
export async function hasSucceeded(work: Promise<void>): Promise<boolean> {
  return await work.then(
    () => true,
    () => false,
  );
}

const callOptions = { timeoutMs: responseTimeoutMs };

/** Sends a batch, and resolves once it is stored. */
export async function sendToCatalog(
  port: number,
  observations: CatalogObservation[],
): Promise<void> {
  const transport = createGrpcTransport({ address: `127.0.0.1:${port}`, token: ingestToken });
  try {
    const client = createClient(CatalogIngestService, transport);
    const responses = client.ingestCatalog(once({ observations }), callOptions);
    await responses[Symbol.asyncIterator]().next();
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
    const responses = client.ingestPricing(once({ observations }), callOptions);
    await responses[Symbol.asyncIterator]().next();
  } finally {
    await transport.close();
  }
}

async function* once<Message>(message: Message): AsyncGenerator<Message> {
  yield message;
}
