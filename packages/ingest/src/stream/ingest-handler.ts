import type { Message } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { asWriter } from "@storefront/change-feed";
import type { CommitSignal } from "@storefront/change-feed";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import type { Database } from "@storefront/database";
import { timestampMsOf } from "@storefront/import-format";
import type { Metrics } from "@storefront/process";
import { createBatchApplier } from "../apply/apply-batch.ts";
import type { BatchElement, ObservationRejection } from "../apply/apply-batch.ts";
import type { Observation } from "../apply/apply-observation.ts";
import { IngestMetrics } from "../ingest-metrics.ts";
import type { RecordKind } from "../record-kind.ts";
import { observedAtFault } from "../validate/limits.ts";

/** The form of every service's observation message. */
export interface WireObservation {
  readonly operation: ObservationOperation;
  readonly observedAt?: Timestamp | undefined;
  readonly record: { readonly case: string | undefined; readonly value?: Message | undefined };
}

/** The form of every service's ingest request. */
export interface IngestRequest {
  readonly observations: readonly WireObservation[];
}

/** The form of every service's ingest response. */
export interface IngestResponse {
  outcomes: IngestOutcome[];
  rejections: ObservationRejection[];
}

/** The kinds of records of a service, with dependencies to store them. */
export interface OwnedRecords {
  readonly database: Database;
  /** Schema of the service, such as `pricing`. */
  readonly schema: string;
  readonly kinds: readonly RecordKind[];
  /** Notified of each commit. */
  readonly commits: CommitSignal;
  /** Registry for metrics of ingestion; default none. */
  readonly metrics?: Metrics | undefined;
}

/** The body of a streaming ingest RPC. */
export type IngestStream = (
  requests: AsyncIterable<IngestRequest>,
) => AsyncGenerator<IngestResponse>;

/**
 * The body of a streaming ingest RPC: applies batches in order, each in a transaction of
 * its own, and responds once it is committed. The next request is not read before that, so that a
 * fast sender waits.
 */
export function ingestHandler(records: OwnedRecords): IngestStream {
  return ingestHandlers(records).ingest;
}

/** The same, and one for observations of another stack, whose changelog is imported too. */
export function ingestHandlers({ database, schema, kinds, commits, metrics }: OwnedRecords): {
  ingest: IngestStream;
  mirror: IngestStream;
} {
  const apply = createBatchApplier(schema, kinds);
  const counts =
    metrics &&
    new IngestMetrics(
      metrics,
      kinds.map(({ name }) => name),
    );
  const handlerOf = (isMirrored: boolean): IngestStream =>
    async function* ingest(requests) {
      for await (const { observations } of requests) {
        const elements = () => observations.map((each) => toElement(each, isMirrored));
        const applied = () => asWriter(observations.length, () => apply(database, elements()));
        const kindsOfBatch = observations.map(({ record }) => record.case);
        const response = await (counts?.observe(kindsOfBatch, applied) ?? applied());
        commits.notify();
        yield response;
      }
    };
  return { ingest: handlerOf(false), mirror: handlerOf(true) };
}

const operations: ReadonlyMap<ObservationOperation, Observation["operation"]> = new Map([
  [ObservationOperation.DELETE, "delete"],
  [ObservationOperation.RESTORE, "restore"],
]);

function toElement(
  { operation, observedAt, record }: WireObservation,
  isMirrored: boolean,
): BatchElement {
  if (record.case === undefined || record.value === undefined) {
    return { rejected: { reason: "record is required", field: "record" } };
  }
  const rule = observedAtFault(observedAt);
  if (observedAt === undefined || rule !== undefined) {
    return { rejected: { reason: `observedAt ${rule}`, field: "observedAt" } };
  }
  return {
    kind: record.case,
    operation: operations.get(operation) ?? "upsert",
    observedAt: new Date(timestampMsOf(observedAt)),
    record: record.value,
    isMirrored,
  };
}
