import { RecordFormatError } from "@storefront/ingest";
import type { ClosableTransport } from "@storefront/rpc";
import { catalogIngest } from "./catalog-ingest.ts";
import { changelogIngest } from "./changelog-ingest.ts";
import { openIngestChannel } from "./ingest-channel.ts";
import type { ChannelOptions, IngestChannel } from "./ingest-channel.ts";
import { kinds } from "./kinds.ts";
import { createObservationClock } from "./observation-clock.ts";
import { ObservationError, parseLine, parseObservation } from "./parse-observation.ts";
import type { ParsedObservation } from "./parse-observation.ts";
import type { RetryOptions } from "./outage.ts";
import type { Place } from "./place.ts";
import { pricingIngest } from "./pricing-ingest.ts";
import { reviewsIngest } from "./reviews-ingest.ts";
import { searchIngest } from "./search-ingest.ts";
import type { SummaryRecorder } from "./summary.ts";

/** What an importer uses. */
export interface ImporterOptions extends RetryOptions {
  /**
   * A gRPC transport to a service, asked for when the first of its observations comes, and after each
   * break; undefined when the stack does not run it. Broken ones are closed here.
   */
  connect: (service: string) => Promise<ClosableTransport | undefined>;
  /** Tells what a call has failed with that could not reach a service; default the error as it is. */
  explain?: (service: string, error: unknown) => Promise<unknown>;
  summary: SummaryRecorder;
  /** The clock for observations that do not say when they were made; default the system's. */
  nowMs?: () => number;
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
   * Sends the rest and waits for every answer, also of the other services when one is broken.
   *
   * @returns one error for each connection that broke.
   */
  finish(): Promise<unknown[]>;
}

/** How the channel of a service that stores kinds is opened; one that is added gets a line here. */
const openChannel: Readonly<Record<string, (options: ChannelOptions) => IngestChannel>> = {
  catalog: (options) => openIngestChannel(catalogIngest, options),
  pricing: (options) => openIngestChannel(pricingIngest, options),
  reviews: (options) => openIngestChannel(reviewsIngest, options),
  changelog: (options) => openIngestChannel(changelogIngest, options),
  search: (options) => openIngestChannel(searchIngest, options),
};

/** An importer with one stream for each service that is needed. */
export function createImporter(options: ImporterOptions): Importer {
  const { connect, explain = sameError, summary, nowMs = Date.now, ...retry } = options;
  const timeOf = createObservationClock(nowMs);
  const channels = new Map<string, IngestChannel | undefined>();

  const channelOf = async (service: string) => {
    if (channels.has(service)) return channels.get(service);
    const open = openChannel[service];
    const transport = open === undefined ? undefined : await connect(service);
    const channel =
      transport &&
      open?.({
        transport,
        connect: () => connect(service),
        explain: (error) => explain(service, error),
        summary,
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
      kind = observation.kind;
      summary.read(kind);
      const { service, identity } = kinds[observation.kind];
      const channel = channels.get(service) ?? (await channelOf(service));
      if (channel === undefined) {
        throw new ObservationError(`this stack does not run the ${service} service`);
      }
      room = channel.add(observation, {
        observedAtMs: observation.observedAtMs ?? timeOf(identityOf(observation, identity)),
        ...(observation.operation === "delete" ? { identityOnly: identity } : {}),
        place,
        sizeBytes,
      });
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
    async finish() {
      const open = [...channels.values()].filter((channel) => channel !== undefined);
      const results = await Promise.allSettled(open.map((channel) => channel.finish()));
      return results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    },
  };
}

function sameError(_service: string, error: unknown): Promise<unknown> {
  return Promise.resolve(error);
}

function identityOf({ kind, record }: ParsedObservation, members: readonly string[]): string {
  return JSON.stringify([kind, ...members.map((member) => record[member])]);
}
