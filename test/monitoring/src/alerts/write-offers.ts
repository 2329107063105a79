import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { CatalogObservationSchema } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { createGrpcTransport } from "@storefront/rpc";
import { ingestToken } from "./start-watched-stack.ts";

type Observation = MessageInitShape<typeof CatalogObservationSchema>;

/** How long a write may take: a database may hang. */
const timeoutMs = 5000;

/** Writes to a catalog. */
export interface OfferWriter {
  /** Writes an offer of this id, with another title each time. */
  write(id: string): Promise<void>;
  /** Sends an observation without a record, which a catalog rejects. */
  writeNothing(): Promise<void>;
  close(): Promise<void>;
}

/** A writer to a catalog's gRPC port. */
export function offerWriter(address: string): OfferWriter {
  const transport = createGrpcTransport({ address, token: ingestToken });
  const client = createClient(CatalogIngestService, transport);
  const send = async (observation: Observation) => {
    const observedAt = timestampFromDate(new Date());
    async function* requests() {
      yield { observations: [{ ...observation, observedAt }] };
    }
    for await (const _ of client.ingestCatalog(requests(), { timeoutMs }));
  };
  return {
    async write(id) {
      const title = `Written at ${Date.now()}`;
      await send({ record: { case: "offer", value: { id, namespace: "drill", title } } });
    },
    writeNothing: () => send({}),
    close: () => transport.close(),
  };
}
