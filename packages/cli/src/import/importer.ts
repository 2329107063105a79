import { RecordFormatError } from "@storefront/import-format";
import type { ClosableTransport } from "@storefront/rpc";
import type { ServiceName } from "@storefront/config";
import { openIngestChannel } from "./ingest-channel.ts";
import type { IngestChannel } from "./ingest-channel.ts";
import type { RetryOptions } from "./outage.ts";
import { ObservationError, parseLine, parseObservation } from "./parse-observation.ts";
import type { ParsedObservation } from "./parse-observation.ts";
import type { Place, SummaryRecorder } from "./summary.ts";

/** What an importer uses. */
export interface ImporterOptions extends RetryOptions {
  /**
   * A gRPC transport to a service, asked for when the first of its observations comes, and after each
   * break; undefined when the stack does not run it. Broken ones are closed here.
   */
  connect: (service: ServiceName) => Promise<ClosableTransport | undefined>;
  /** Tells what a call has failed with that could not reach a service; default the error as it is. */
  explain?: (service: ServiceName, error: unknown) => Promise<unknown>;
  summary: SummaryRecorder;
  /** Whether another stack has written what is sent, whose changelog comes along; default no. */
  isMirror?: boolean | undefined;
}

/** Sends observations to the services that store them. */
export interface Importer {
  /**
   * Takes one line; resolves when there is room for the next. A line that cannot be applied goes
   * to the summary.
   *
   * @throws ChannelBrokenError when the connection to a service broke for good.
   */
  addLine(text: string, place: Place, sizeBytes: number): Promise<void>;
  /** As `addLine`, of an observation that is JSON already. */
  addObservation(value: unknown, place: Place, sizeBytes: number): Promise<void>;
  /**
   * Sends what is queued; resolves when everything up to now is answered.
   *
   * @throws ChannelBrokenError when the connection to a service broke for good.
   */
  flush(): Promise<void>;
  /**
   * Sends the rest and waits for every answer, also of the other services when one is broken.
   *
   * @returns one error for each connection that broke.
   */
  finish(): Promise<unknown[]>;
}

/** An importer with one stream for each service that is needed. */
export function createImporter(options: ImporterOptions): Importer {
  const { connect, explain, summary, isMirror, ...retry } = options;
  const timeOf = createObservationClock(Date.now);
  const channels = new Map<ServiceName, IngestChannel | undefined>();

  const channelOf = async (service: ServiceName) => {
    if (channels.has(service)) return channels.get(service);
    const transport = await connect(service);
    const channel =
      transport &&
      openIngestChannel(service, {
        transport,
        connect: () => connect(service),
        explain: async (error) => (explain === undefined ? error : await explain(service, error)),
        summary,
        isMirror,
        ...retry,
      });
    channels.set(service, channel);
    return channel;
  };

  const add = async (read: () => ParsedObservation, place: Place, sizeBytes: number) => {
    let kind: string | undefined;
    let room: Promise<void> | undefined;
    try {
      const observation = read();
      const { name, service } = observation.kind;
      kind = name;
      summary.read(kind);
      const channel = channels.get(service) ?? (await channelOf(service));
      if (channel === undefined) {
        throw new ObservationError(`this stack does not run the ${service} service`);
      }
      const observedAtMs = observation.observedAtMs ?? timeOf(identityOf(observation));
      room = channel.add({ ...observation, observedAtMs }, place, sizeBytes);
    } catch (error) {
      if (!(error instanceof ObservationError || error instanceof RecordFormatError)) throw error;
      summary.rejected(place, error.message, kind);
    }
    await room;
  };

  return {
    addLine: (text, place, sizeBytes) => add(() => parseLine(text), place, sizeBytes),
    addObservation: (value, place, sizeBytes) =>
      add(() => parseObservation(value), place, sizeBytes),
    async flush() {
      const open = [...channels.values()].filter((channel) => channel !== undefined);
      await Promise.all(open.map((channel) => channel.flush()));
    },
    async finish() {
      const open = [...channels.values()].filter((channel) => channel !== undefined);
      const results = await Promise.allSettled(open.map((channel) => channel.finish()));
      return results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    },
  };
}

function identityOf({ kind, record }: ParsedObservation): string {
  return JSON.stringify([kind.name, ...kind.identity.map((member) => record[member])]);
}

/**
 * Tells the time of reading for observations that do not say when they were made: the clock's
 * milliseconds, strictly increasing for each record.
 *
 * @param nowMs the clock; it may go back, the told times do not.
 */
export function createObservationClock(nowMs: () => number): (identity: string) => number {
  let lastMs = 0;
  // Only the records of the present millisecond need telling apart, so that memory stays bounded.
  const readInLastMs = new Set<string>();
  return (identity) => {
    const timeMs = Math.max(nowMs(), readInLastMs.has(identity) ? lastMs + 1 : lastMs);
    if (timeMs > lastMs) readInLastMs.clear();
    readInLastMs.add(identity);
    lastMs = timeMs;
    return timeMs;
  };
}
