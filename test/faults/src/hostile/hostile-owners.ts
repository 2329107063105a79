import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { Rejection } from "@storefront/contracts/type/v1/observation";
import { catalogBatches, keyOf, pricingBatches, reviewsBatches } from "./hostile-records.ts";
import type { HostileBatches } from "./hostile-records.ts";

/** A record as stored by its owner. */
export interface StoredRecord {
  readonly kind: string;
  readonly record: Message;
}

/** The result of a batch. */
export interface TakenBatch {
  /** Observations that were sent. */
  readonly sent: number;
  readonly outcomes: readonly IngestOutcome[];
  readonly rejections: readonly Rejection[];
}

/** The results of batches. */
export interface Taken {
  /** Writes by kind. */
  readonly written: ReadonlyMap<string, number>;
  readonly batches: readonly TakenBatch[];
  /** The results of the same batches when sent again. */
  readonly replayed: readonly TakenBatch[];
}

/** A service that stores records, with what may be sent to it. */
export interface HostileOwner {
  readonly name: string;
  /** How many kinds of records it stores. */
  readonly kinds: number;
  /** Sends `count` batches, then all of them again, and waits for every response. */
  send(transport: Transport, count: number, seed: number): Promise<Taken>;
  /** All stored records, without deletions. */
  stored(transport: Transport): Promise<StoredRecord[]>;
}

interface Observation {
  readonly operation: ObservationOperation;
  readonly record: { case: string; value: Message } | { case: undefined; value?: undefined };
}
interface BatchResponse {
  readonly outcomes: readonly IngestOutcome[];
  readonly rejections: readonly Rejection[];
}

// No timeout, since the number of batches is not limited.
const untimed = { timeoutMs: 0 };

export const hostileOwners: readonly HostileOwner[] = [
  ownerOf("catalog", catalogBatches, {
    ingest: (to, batches) => createClient(CatalogIngestService, to).ingestCatalog(batches, untimed),
    export: (from) => createClient(CatalogIngestService, from).exportCatalog({}, untimed),
  }),
  ownerOf("pricing", pricingBatches, {
    ingest: (to, batches) => createClient(PricingIngestService, to).ingestPricing(batches, untimed),
    export: (from) => createClient(PricingIngestService, from).exportPricing({}, untimed),
  }),
  ownerOf("reviews", reviewsBatches, {
    ingest: (to, batches) => createClient(ReviewsIngestService, to).ingestReviews(batches, untimed),
    export: (from) => createClient(ReviewsIngestService, from).exportReviews({}, untimed),
  }),
];

function ownerOf<Desc extends DescMessage>(
  name: string,
  batches: HostileBatches<Desc>,
  rpc: {
    ingest(
      to: Transport,
      requests: AsyncIterable<{ observations: (MessageShape<Desc> & Observation)[] }>,
    ): AsyncIterable<BatchResponse>;
    export(from: Transport): AsyncIterable<{ observations: readonly Observation[] }>;
  },
): HostileOwner {
  return {
    name,
    kinds: batches.kinds.length,
    async send(transport, count, seed) {
      const sampled = batches.sample(count, seed) as (MessageShape<Desc> & Observation)[][];
      const requests = sampled.filter(({ length }) => length > 0);
      const take = async (): Promise<TakenBatch[]> => {
        const responses = await Array.fromAsync(rpc.ingest(transport, streamOf(requests)));
        return requests.map(({ length: sent }, at) => ({
          sent,
          outcomes: responses[at]?.outcomes ?? [],
          rejections: responses[at]?.rejections ?? [],
        }));
      };
      const taken = await take();
      const written = new Map<string, number>();
      for (const [at, { outcomes }] of taken.entries()) {
        for (const [index, outcome] of outcomes.entries()) {
          const kind = requests[at]?.[index]?.record.case ?? "";
          if (outcome === IngestOutcome.WRITTEN) written.set(kind, (written.get(kind) ?? 0) + 1);
        }
      }
      return { written, batches: taken, replayed: await take() };
    },
    async stored(transport) {
      const responses = await Array.fromAsync(rpc.export(transport));
      return lastStates(responses.flatMap(({ observations }) => observations));
    },
  };
}

/** The last state of each record: an export of prices also has their past, in order. */
function lastStates(observations: readonly Observation[]): StoredRecord[] {
  const records = new Map<string, StoredRecord>();
  for (const { operation, record } of observations) {
    if (record.case === undefined) continue;
    const key = JSON.stringify([record.case, ...keyOf(record.case, record.value)]);
    if (operation === ObservationOperation.DELETE) records.delete(key);
    else records.set(key, { kind: record.case, record: record.value });
  }
  return [...records.values()];
}

async function* streamOf<Element>(
  batches: readonly Element[][],
): AsyncGenerator<{ observations: Element[] }> {
  for (const observations of batches) yield { observations };
}
