import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { BatchQueue } from "./batch-queue.ts";
import type { BatchAnswer, IngestService, ObservationOf } from "./ingest-service.ts";
import type { ParsedObservation } from "./parse-observation.ts";
import type { Place } from "./place.ts";
import type { SummaryRecorder } from "./summary.ts";

/** Most observations in a batch; a batch is one transaction of the service. */
const batchObservations = 500;

/** Size of the lines after which a batch is sent, in bytes; protobuf is smaller than its JSON. */
const batchBytes = 1024 * 1024;

/** Batches on their way: enough to keep the service busy while the next lines are parsed. */
const batchesInFlight = 4;

/** Observations on their way to one service, over one stream, in order. */
export interface IngestChannel {
  /**
   * Queues an observation. Resolves when there is room for the next one.
   *
   * @param observedAtMs milliseconds since 1970.
   * @throws RecordFormatError when the record does not have the form of its kind.
   * @throws ChannelBrokenError when the stream broke, now or before.
   */
  add(
    observation: ParsedObservation,
    options: {
      observedAtMs: number;
      identityOnly?: readonly string[];
      place: Place;
      sizeBytes: number;
    },
  ): Promise<void> | undefined;
  /** Sends what is queued and waits until everything is answered. */
  finish(): Promise<void>;
}

/** A stream that broke. Everything before `firstUnanswered` is stored; the rest may be or not. */
export class ChannelBrokenError extends Error {
  override readonly name = "ChannelBrokenError";
  readonly service: string;
  readonly firstUnanswered: Place | undefined;

  constructor(service: string, firstUnanswered: Place | undefined, cause: unknown) {
    super(`The connection to the ${service} service broke.`, { cause });
    this.service = service;
    this.firstUnanswered = firstUnanswered;
  }
}

interface Sent {
  kind: string;
  place: Place;
}

/** Opens the stream of a service. */
export function openIngestChannel<RecordCase>(
  service: IngestService<RecordCase>,
  transport: Transport,
  summary: SummaryRecorder,
): IngestChannel {
  const queue = new BatchQueue<{ observations: ObservationOf<RecordCase>[] }>();
  const unanswered: Sent[][] = [];
  let observations: ObservationOf<RecordCase>[] = [];
  let sent: Sent[] = [];
  let sizeBytes = 0;
  let isFinishing = false;
  let broken: ChannelBrokenError | undefined;
  let whenRoom = Promise.withResolvers<void>();
  whenRoom.resolve();

  const flush = () => {
    if (observations.length === 0) return;
    unanswered.push(sent);
    queue.push({ observations });
    observations = [];
    sent = [];
    sizeBytes = 0;
    if (unanswered.length >= batchesInFlight) whenRoom = Promise.withResolvers();
  };

  const readAnswers = async () => {
    // An import takes as long as it takes; a service that is gone is noticed by the keepalive.
    const answers = service.ingest(transport, queue, { timeoutMs: 0 });
    for await (const answer of answers) {
      const batch = unanswered.shift();
      if (batch === undefined) throw new Error("an answer without a batch");
      settle(batch, answer, summary);
      whenRoom.resolve();
    }
    if (!isFinishing || unanswered.length > 0) throw new Error("the stream ended early");
  };
  const reading = readAnswers().catch((error: unknown) => {
    broken = new ChannelBrokenError(
      service.name,
      unanswered[0]?.[0]?.place ?? sent[0]?.place,
      error,
    );
    whenRoom.resolve();
  });

  const room = async () => {
    await whenRoom.promise;
    if (broken !== undefined) throw broken;
  };

  return {
    add(observation, { observedAtMs, identityOnly, place, sizeBytes: lineBytes }) {
      if (broken !== undefined) throw broken;
      const kind = service.kinds[observation.kind];
      if (kind === undefined) throw new TypeError(`${service.name} has no ${observation.kind}`);
      const { record, unknownMembers } = kind.read(observation.record, identityOnly);
      summary.unknownMembers(unknownMembers);
      if (sizeBytes + lineBytes > batchBytes) flush();
      observations.push({
        operation:
          observation.operation === "delete"
            ? ObservationOperation.DELETE
            : ObservationOperation.UPSERT,
        observedAt: timestampFromMs(observedAtMs),
        record,
      });
      sent.push({ kind: observation.kind, place });
      sizeBytes += lineBytes;
      if (observations.length >= batchObservations) flush();
      return unanswered.length >= batchesInFlight ? room() : undefined;
    },
    async finish() {
      isFinishing = true;
      flush();
      queue.end();
      await reading;
      if (broken !== undefined) throw broken;
    },
  };
}

function settle(batch: readonly Sent[], answer: BatchAnswer, summary: SummaryRecorder): void {
  if (answer.outcomes.length !== batch.length) throw new Error("an answer of the wrong length");
  const reasons = new Map(answer.rejections.map(({ index, reason }) => [index, reason]));
  for (const [index, { kind, place }] of batch.entries()) {
    switch (answer.outcomes[index]) {
      case IngestOutcome.WRITTEN:
        summary.settled(kind, "written");
        break;
      case IngestOutcome.UNCHANGED:
        summary.settled(kind, "unchanged");
        break;
      case IngestOutcome.STALE:
        summary.settled(kind, "stale");
        break;
      default:
        summary.rejected(place, reasons.get(index) ?? "the service rejected it", kind);
    }
  }
}
