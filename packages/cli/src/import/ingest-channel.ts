import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import type { ServiceName } from "@storefront/process";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { ClosableTransport } from "@storefront/rpc";
import type { ServiceConnections } from "../stack/service-connections.ts";
import { messageOf } from "../user-error.ts";
import { BatchQueue } from "./batch-queue.ts";
import { ingestServices } from "./ingest-services.ts";
import type { Observation } from "./ingest-services.ts";
import { Outage } from "./outage.ts";
import type { RetryOptions } from "./outage.ts";
import type { ParsedObservation } from "./parse-observation.ts";
import type { LinePosition, SentLine, SummaryRecorder } from "./summary.ts";

/** Most observations in a batch; a batch is one transaction of the service. */
const batchObservations = 500;

/** Size of the lines after which a batch is sent, in bytes; protobuf is smaller than its JSON. */
const batchBytes = 1024 * 1024;

/** Batches in flight: enough to keep the service busy while the next lines are parsed. */
const batchesInFlight = 4;

/** Sends observations to one service, in order, over successive streams. */
export interface IngestChannel {
  /**
   * Queues an observation. Resolves when there is room for the next one.
   *
   * @throws RecordFormatError when the record does not have the form of its kind.
   * @throws ChannelBrokenError when the stream broke permanently, now or before.
   */
  add(
    observation: ParsedObservation & { observedAtMs: number },
    position: LinePosition,
    sizeBytes: number,
  ): Promise<void> | undefined;
  /**
   * Sends all queued observations; resolves when they are settled.
   *
   * @throws ChannelBrokenError when the stream broke permanently.
   */
  flush(): Promise<void>;
  /** The same, and ends the stream. */
  finish(): Promise<void>;
}

/** A stream that broke permanently. Everything before `firstUnanswered` is stored; the rest may be. */
export class ChannelBrokenError extends Error {
  override readonly name = "ChannelBrokenError";
  readonly service: string;
  readonly firstUnanswered: LinePosition | undefined;

  constructor(service: string, firstUnanswered: LinePosition | undefined, cause: unknown) {
    super(`The connection to the ${service} service broke.`, { cause });
    this.service = service;
    this.firstUnanswered = firstUnanswered;
  }

  /** The failure and its remedy, as the reason of the first unanswered line. */
  get reason(): string {
    const { service, cause } = this;
    if (cause instanceof ConnectError && cause.code === Code.Unauthenticated) {
      return `the ${service} service refused the ingest token (INGEST_TOKEN, or ingest-token in DATA_DIR)`;
    }
    return (
      `the connection to the ${service} service broke (${messageOf(cause)}); ` +
      `its earlier lines are stored, import again for the rest`
    );
  }
}

/** Observations that are sent together. */
interface Batch {
  observations: Observation[];
  sent: SentLine[];
  /** How often it was sent. */
  sendings: number;
}

/** Options of an importer. */
export interface ImporterOptions extends RetryOptions {
  /** Opened for the first observation of a service, and after each break; a broken one is closed. */
  connections: Pick<ServiceConnections, "open" | "explain">;
  summary: SummaryRecorder;
  /** Whether the observations are another stack's, whose changelog is imported too; default no. */
  isMirror?: boolean | undefined;
}

/**
 * Sends to a service. When its stream breaks, another one begins with the first unanswered batch: the
 * observations are the same, times included, so that records that are stored already do not change.
 *
 * @param transport the first connection.
 */
export function openIngestChannel(
  service: ServiceName,
  transport: ClosableTransport,
  { connections, summary, isMirror = false, ...retry }: ImporterOptions,
): IngestChannel {
  const queue = new BatchQueue<Batch>();
  const outage = new Outage(service, retry);
  let observations: Observation[] = [];
  let sent: SentLine[] = [];
  let sizeBytes = 0;
  let broken: ChannelBrokenError | undefined;
  let whenRoom = Promise.withResolvers<void>();
  whenRoom.resolve();
  let whenAnswered = Promise.withResolvers<void>();

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

  const readResponses = async (over: ClosableTransport) => {
    // An import has no time limit; the keepalive detects a service that is down.
    const endless = { timeoutMs: 0 };
    const ingest = ingestServices[service];
    const mirrored = isMirror ? ingest.mirror?.(over, requests(), endless) : undefined;
    const responses = mirrored ?? ingest.ingest(over, requests(), endless);
    for await (const response of responses) {
      const batch = queue.shift();
      summary.settled(batch.sent, response);
      if (batch.sendings > 1) summary.sentAgain(batch.sent.length);
      outage.end();
      whenRoom.resolve();
      if (queue.length > 0) continue;
      whenAnswered.resolve();
      whenAnswered = Promise.withResolvers();
    }
  };

  const run = async () => {
    let open: ClosableTransport | undefined = transport;
    // A stream is opened only for a batch, so that a service may be unavailable while it gets none.
    while (await queue.hasMore()) {
      try {
        // A new connection has the current address and credentials.
        open ??= await connections.open(service);
        if (open === undefined) throw new ConnectError("it is not in this stack", Code.Unavailable);
        await readResponses(open);
        if (queue.length > 0) throw new ConnectError("the stream ended early", Code.Unavailable);
      } catch (error) {
        await open?.close();
        open = undefined;
        if (queue.length > 0) await outage.wait(await connections.explain(service, error));
      }
    }
  };
  const running = run().catch((error: unknown) => {
    broken = new ChannelBrokenError(
      service,
      queue.first?.sent[0]?.position ?? sent[0]?.position,
      error,
    );
    whenRoom.resolve();
    whenAnswered.resolve();
  });

  const room = async () => {
    await whenRoom.promise;
    if (broken !== undefined) throw broken;
  };

  return {
    add({ kind, operation, observedAtMs, record: json }, position, lineBytes) {
      if (broken !== undefined) throw broken;
      const isDeletion = operation === ObservationOperation.DELETE;
      const { record, unknownMembers } = kind.read(json, isDeletion ? kind.identity : undefined);
      summary.unknownMembers(unknownMembers);
      if (sizeBytes + lineBytes > batchBytes) flush();
      observations.push({
        operation,
        observedAt: timestampFromMs(observedAtMs),
        record: { case: kind.name, value: record },
      });
      sent.push({ kind: kind.name, position });
      sizeBytes += lineBytes;
      if (observations.length >= batchObservations) flush();
      return queue.length >= batchesInFlight ? room() : undefined;
    },
    async flush() {
      flush();
      if (queue.length > 0 && broken === undefined) await whenAnswered.promise;
      if (broken !== undefined) throw broken;
    },
    async finish() {
      flush();
      queue.end();
      await running;
      if (broken !== undefined) throw broken;
    },
  };
}
