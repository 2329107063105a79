import { createGrpcTransport } from "@storefront/rpc";
import type { ClosableTransport } from "@storefront/rpc";
import { countObservations, generateCatalogue } from "@storefront/sample-data";
import { createImporter } from "../import/importer.ts";
import { ChannelBrokenError } from "../import/ingest-channel.ts";
import { createSummaryRecorder } from "../import/summary.ts";
import { createTerminal } from "../terminal.ts";
import type { Terminal } from "../terminal.ts";
import { isForTheUser, messageOf, UserError } from "../user-error.ts";

// A process that generates sample data and ends: see `ensureSampleData`.

// The parent process has ended, perhaps killed.
const end = () => process.exit(1);
process.once("disconnect", end);
// Ctrl-C reaches every process of the terminal; the parent decides whether this one ends.
process.on("SIGINT", () => undefined);

process.once("message", (options: SampleDataOptions) => void make(options));

async function make(options: SampleDataOptions): Promise<void> {
  try {
    await makeSampleData(options, createTerminal(process.stdout, process.stderr));
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined;
    if (!isForTheUser(error)) process.stderr.write(`${stack ?? String(error)}\n`);
    process.send?.(messageOf(error));
    process.exitCode = 1;
  }
  process.off("disconnect", end);
  process.disconnect();
}

/** Options of the sample data, and its destination. */
export interface SampleDataOptions {
  offers: number;
  seed: number;
  /** The moment at which the catalogue is current. */
  now: Date;
  /** `host:port` of the gRPC port of each service. */
  grpcAddresses: Readonly<Record<string, string>>;
  /** The ingest tokens of the same services. */
  tokens: Readonly<Record<string, string | undefined>>;
}

/** An observation of the sample data is about this long, in bytes; prices, the most, are shorter. */
const typicalSizeBytes = 512;

/**
 * Generates a catalogue and sends it to the services. The same options generate the same records, so
 * that a repeat after an interruption completes it.
 *
 * @throws UserError when a record is rejected or a connection breaks.
 */
async function makeSampleData(options: SampleDataOptions, terminal: Terminal): Promise<void> {
  const { grpcAddresses, tokens } = options;
  const transports = new Map<string, ClosableTransport>();
  for (const [service, address] of Object.entries(grpcAddresses)) {
    transports.set(service, createGrpcTransport({ address, token: tokens[service] }));
  }
  const problems: string[] = [];
  const summary = createSummaryRecorder(({ reason }) => problems.push(reason), 0);
  const importer = createImporter({
    summary,
    connections: {
      open: (service) => Promise.resolve(transports.get(service)),
      explain: (_, error) => Promise.resolve(error),
    },
    // The next start completes it.
    retryForMs: 0,
    note: terminal.note,
  });
  const progress = terminal.progress({
    label: "Making sample data",
    total: countObservations(options),
  });
  let line = 0;
  try {
    for (const observation of generateCatalogue(options)) {
      line += 1;
      const position = { file: "sample data", line };
      await importer.addObservation(observation, position, typicalSizeBytes);
      if (line % 500 === 0) progress.update(line, `${line.toLocaleString("en")} records`);
    }
  } catch (error) {
    if (!(error instanceof ChannelBrokenError)) throw error;
  } finally {
    for (const error of await importer.finish()) {
      problems.push(error instanceof ChannelBrokenError ? error.reason : String(error));
    }
    await Promise.all([...transports.values()].map((transport) => transport.close()));
  }
  progress.end(`${summary.settledCount.toLocaleString("en")} records`);
  if (problems[0] !== undefined) {
    throw new UserError(`The sample data could not be stored: ${problems[0]}.`);
  }
}
