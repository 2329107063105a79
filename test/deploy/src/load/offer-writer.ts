import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { Client, Metadata } from "@grpc/grpc-js";
import type { ChannelCredentials, ServiceError } from "@grpc/grpc-js";
import {
  CatalogIngestService,
  IngestCatalogRequestSchema,
  IngestCatalogResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { repeat } from "./background.ts";
import type { Background } from "./background.ts";
import { failed, nameInCertificate } from "./grpc-load.ts";
import type { Tally } from "./tally.ts";

/** Where offers are written, and as whom. */
export interface OfferWriterOptions {
  /** `host:port` of the catalog's gRPC port. */
  target: string;
  credentials: ChannelCredentials;
  token: string;
  pauseMs: number;
  tally: Tally;
}

/** Offers that the writer keeps changing; they belong to a sandbox of their own. */
const offersWritten = 20;
const timeoutMs = 40_000;

/** A writer that goes on until it is stopped. */
export interface OfferWriter extends Background {
  /** Titles of the writes that were accepted, without the first of each offer, which may create it. */
  readonly accepted: readonly string[];
}

/** Writes one offer after the other, each time with another title: a change to follow each time. */
export function startOfferWriter(options: OfferWriterOptions): OfferWriter {
  const { target, credentials, token, pauseMs, tally } = options;
  const client = new Client(target, credentials, nameInCertificate);
  const accepted: string[] = [];
  // Titles of two writers of one test run differ.
  const run = Date.now();
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  const writing = repeat(pauseMs, async (round) => {
    const outcome = await write(client, metadata, {
      id: `followed-${round % offersWritten}`,
      namespace: "followed",
      title: `Title ${run} ${round}`,
    });
    if (outcome === IngestOutcome.WRITTEN) {
      if (round >= offersWritten) accepted.push(`Title ${run} ${round}`);
      tally.succeed();
    } else if (typeof outcome === "object") failed(tally, outcome);
    else tally.fail(`outcome ${outcome}`);
  });
  return {
    accepted,
    async stop() {
      await writing.stop();
      client.close();
    },
  };
}

/** Writes one offer over a stream of its own. */
function write(
  client: Client,
  metadata: Metadata,
  offer: { id: string; namespace: string; title: string },
): Promise<IngestOutcome | Partial<ServiceError>> {
  const method = CatalogIngestService.method.ingestCatalog;
  const stream = client.makeBidiStreamRequest(
    `/${method.parent.typeName}/${method.name}`,
    (bytes: Uint8Array) => Buffer.from(bytes),
    (bytes: Buffer) => bytes,
    metadata,
    { deadline: Date.now() + timeoutMs },
  );
  const { UPSERT: operation } = ObservationOperation;
  const request = create(IngestCatalogRequestSchema, {
    observations: [
      { operation, observedAt: timestampNow(), record: { case: "offer", value: offer } },
    ],
  });
  stream.end(toBinary(IngestCatalogRequestSchema, request));
  return new Promise((resolve) => {
    let outcome: IngestOutcome | undefined;
    stream.on("data", (bytes: Buffer) => {
      outcome = fromBinary(IngestCatalogResponseSchema, bytes).outcomes[0];
    });
    stream.once("error", resolve);
    stream.once("end", () => resolve(outcome ?? new Error("the stream ended without a response")));
  });
}
