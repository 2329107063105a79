import { RecordFormatError } from "@storefront/import-format";
import type { ServiceName } from "@storefront/process";
import { openIngestChannel } from "./ingest-channel.ts";
import type { ImporterOptions, IngestChannel } from "./ingest-channel.ts";
import { ObservationError, parseLine, parseObservation } from "./parse-observation.ts";
import type { ParsedObservation } from "./parse-observation.ts";
import type { LinePosition } from "./summary.ts";

/** Sends observations to the services that store them. */
export interface Importer {
  /**
   * Queues a line; resolves when there is room for the next. A line that cannot be applied is reported
   * in the summary.
   *
   * @throws ChannelBrokenError when the connection to a service broke permanently.
   */
  addLine(text: string, position: LinePosition, sizeBytes: number): Promise<void>;
  /** As `addLine`, for an observation as JSON. */
  addObservation(value: unknown, position: LinePosition, sizeBytes: number): Promise<void>;
  /**
   * Sends all queued lines; resolves when they are settled.
   *
   * @throws ChannelBrokenError when the connection to a service broke permanently.
   */
  flush(): Promise<void>;
  /**
   * Sends the rest and waits until it is settled, also by the other services when one connection breaks.
   *
   * @returns one error for each connection that broke.
   */
  finish(): Promise<unknown[]>;
}

/** An importer with one stream for each service that is needed. */
export function createImporter(options: ImporterOptions): Importer {
  const { connections, summary } = options;
  const timeOf = createObservationClock(Date.now);
  const channels = new Map<ServiceName, IngestChannel | undefined>();

  const channelOf = async (service: ServiceName) => {
    if (channels.has(service)) return channels.get(service);
    const transport = await connections.open(service);
    const channel = transport && openIngestChannel(service, transport, options);
    channels.set(service, channel);
    return channel;
  };

  const add = async (read: () => ParsedObservation, position: LinePosition, sizeBytes: number) => {
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
      room = channel.add({ ...observation, observedAtMs }, position, sizeBytes);
    } catch (error) {
      if (!(error instanceof ObservationError || error instanceof RecordFormatError)) throw error;
      summary.rejected(position, error.message, kind);
    }
    await room;
  };

  const opened = () => [...channels.values()].filter((channel) => channel !== undefined);

  return {
    addLine: (text, position, sizeBytes) => add(() => parseLine(text), position, sizeBytes),
    addObservation: (value, position, sizeBytes) =>
      add(() => parseObservation(value), position, sizeBytes),
    async flush() {
      await Promise.all(opened().map((channel) => channel.flush()));
    },
    async finish() {
      const results = await Promise.allSettled(opened().map((channel) => channel.finish()));
      return results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    },
  };
}

function identityOf({ kind, record }: ParsedObservation): string {
  return JSON.stringify([kind.name, ...kind.identity.map((member) => record[member])]);
}

/**
 * The time of reading, for observations without a time: the clock's milliseconds, strictly increasing
 * for each record.
 *
 * @param nowMs the clock; when it goes back, the times do not.
 */
export function createObservationClock(nowMs: () => number): (identity: string) => number {
  let lastMs = 0;
  // Only times of the last millisecond, so that memory is bounded.
  const readInLastMs = new Set<string>();
  return (identity) => {
    const timeMs = Math.max(nowMs(), readInLastMs.has(identity) ? lastMs + 1 : lastMs);
    if (timeMs > lastMs) readInLastMs.clear();
    readInLastMs.add(identity);
    lastMs = timeMs;
    return timeMs;
  };
}
