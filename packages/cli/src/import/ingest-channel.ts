import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { ClosableTransport } from "@storefront/rpc";
import { BatchQueue } from "./batch-queue.ts";
import type { IngestService, ObservationOf } from "./ingest-service.ts";
import { Outage } from "./outage.ts";
import type { RetryOptions } from "./outage.ts";
import type { ParsedObservation } from "./parse-observation.ts";
import type { Place } from "./place.ts";
import { settleLines } from "./settle-lines.ts";
import type { SentLine } from "./settle-lines.ts";
import type { SummaryRecorder } from "./summary.ts";

/** Most observations in a batch; a batch is one transaction of the service. */
const batchObservations = 500;

/** Size of the lines after which a batch is sent, in bytes; protobuf is smaller than its JSON. */
const batchBytes = 1024 * 1024;

/** Batches on their way: enough to keep the service busy while the next lines are parsed. */
const batchesInFlight = 4;

const operations = {
  upsert: ObservationOperation.UPSERT,
  delete: ObservationOperation.DELETE,
  restore: ObservationOperation.RESTORE,
} as const;

/** Observations on their way to one service, in order, over one stream after the other. */
export interface IngestChannel {
  /**
   * Queues an observation. Resolves when there is room for the next one.
   *
   * @param observedAtMs milliseconds since 1970.
   * @throws RecordFormatError when the record does not have the form of its kind.
   * @throws ChannelBrokenError when the stream broke for good, now or before.
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

/** A stream that broke for good. Everything before `firstUnanswered` is stored; the rest may be or not. */
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

/** Observations that travel together, until they are answered. */
interface Batch<RecordCase> {
  observations: ObservationOf<RecordCase>[];
  sent: SentLine[];
  /** How often it was sent. */
  sendings: number;
}

/** What a channel uses. */
export interface ChannelOptions extends RetryOptions {
  /** The connection to begin with. */
  transport: ClosableTransport;
  /** Finds the service again; undefined when the stack does not run it. */
  connect: () => Promise<ClosableTransport | undefined>;
  /** Tells what a call has failed with that could not reach the service. */
  explain: (error: unknown) => Promise<unknown>;
  summary: SummaryRecorder;
}

/**
 * Sends to a service. When its stream breaks, another one begins with the first unanswered batch: the
 * observations are the same, times included, so what is stored already stays as it is.
 */
export function openIngestChannel<RecordCase>(
  service: IngestService<RecordCase>,
  { transport, connect, explain, summary, ...retry }: ChannelOptions,
): IngestChannel {
  const queue = new BatchQueue<Batch<RecordCase>>();
  const outage = new Outage(service.name, retry);
  let observations: ObservationOf<RecordCase>[] = [];
  let sent: SentLine[] = [];
  let sizeBytes = 0;
  let broken: ChannelBrokenError | undefined;
  let whenRoom = Promise.withResolvers<void>();
  whenRoom.resolve();

  const flush = () => {
    if (observations.length === 0) return;
    queue.push({ observations, sent, sendings: 0 });
    observations = [];
    sent = [];
    sizeBytes = 0;
    if (queue.length >= batchesInFlight) whenRoom = Promise.withResolvers();
  };

  async function* requests() {
    for await (const batch of queue.forNextStream()) {
      batch.sendings += 1;
      yield { observations: batch.observations };
    }
  }

  const readAnswers = async (over: ClosableTransport) => {
    // An import takes as long as it takes; a service that is gone is noticed by the keepalive.
    const answers = service.ingest(over, requests(), { timeoutMs: 0 });
    for await (const answer of answers) {
      const batch = queue.answered();
      settleLines(batch.sent, answer, summary);
      if (batch.sendings > 1) summary.sentAgain(batch.sent.length);
      outage.end();
      whenRoom.resolve();
    }
  };

  const run = async () => {
    let open: ClosableTransport | undefined = transport;
    // A stream is opened only for a batch, so that a service may be away while it gets none.
    while (await queue.hasMore()) {
      try {
        // A new connection finds a service that has moved, with the credentials of the moment.
        open ??= await connect();
        if (open === undefined) throw new ConnectError("it is not in this stack", Code.Unavailable);
        await readAnswers(open);
        if (queue.length > 0) throw new ConnectError("the stream ended early", Code.Unavailable);
      } catch (error) {
        await open?.close();
        open = undefined;
        if (queue.length > 0) await outage.wait(await explain(error));
      }
    }
  };
  const running = run().catch((error: unknown) => {
    broken = new ChannelBrokenError(
      service.name,
      queue.first?.sent[0]?.place ?? sent[0]?.place,
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
        operation: operations[observation.operation],
        observedAt: timestampFromMs(observedAtMs),
        record,
      });
      sent.push({ kind: observation.kind, place });
      sizeBytes += lineBytes;
      if (observations.length >= batchObservations) flush();
      return queue.length >= batchesInFlight ? room() : undefined;
    },
    async finish() {
      flush();
      queue.end();
      await running;
      if (broken !== undefined) throw broken;
    },
  };
}
