import type { DescMessage, JsonObject, Message } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { CallOptions, Transport } from "@connectrpc/connect";
import type {
  IngestOutcome,
  ObservationOperation,
  Rejection,
} from "@storefront/contracts/type/v1/observation";

/** How a kind's record gets into an observation of its service. */
export interface KindOf<RecordCase> {
  schema: DescMessage;
  /**
   * The record as the observation's oneof holds it.
   *
   * @throws RecordFormatError when it does not have the form of its kind.
   */
  read(json: JsonObject, identityOnly?: readonly string[]): ReadRecord<RecordCase>;
  /** The record of a message, in the form that `read` takes. */
  write(record: Message): JsonObject;
}

export interface ReadRecord<RecordCase> {
  record: RecordCase;
  unknownMembers: number;
}

/** One observation on its way to a service. */
export interface ObservationOf<RecordCase> {
  operation: ObservationOperation;
  observedAt: Timestamp;
  record: RecordCase;
}

/** A service's answer to one batch. */
export interface BatchAnswer {
  outcomes: readonly IngestOutcome[];
  rejections: readonly Rejection[];
}

/** The ingest RPC of one service. `RecordCase` is the oneof of its observations. */
export interface IngestService<RecordCase> {
  name: string;
  kinds: Readonly<Record<string, KindOf<RecordCase>>>;
  /** Opens the stream; answers come in the order of the batches. */
  ingest(
    transport: Transport,
    batches: AsyncIterable<{ observations: ObservationOf<RecordCase>[] }>,
    options: CallOptions,
  ): AsyncIterable<BatchAnswer>;
}
