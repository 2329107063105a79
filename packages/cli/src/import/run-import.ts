import { createGrpcTransport } from "@storefront/rpc";
import type { ClosableTransport } from "@storefront/rpc";
import type { CommandContext } from "../command.ts";
import { findIngestToken } from "../stack/ingest-token.ts";
import { createServiceAddresses } from "../stack/service-addresses.ts";
import type { ServiceAddresses } from "../stack/service-addresses.ts";
import { createImporter } from "./importer.ts";
import { importSources } from "./import-sources.ts";
import { openSource } from "./open-source.ts";
import { createSummaryRecorder } from "./summary.ts";
import type { SummaryRecorder } from "./summary.ts";

/** What to import, and where to. */
export interface ImportOptions {
  /** Names of files, `-` for standard input. */
  files: readonly string[];
  dataDirectory: string;
  /** Whether the summary lists every error. */
  keepErrors: boolean;
  /** Default: as the environment or the data directory says. */
  addresses?: ServiceAddresses;
  /** Breaks the import off between two lines. */
  signal?: AbortSignal;
}

/**
 * Imports files into a running stack; each line that is not applied is noted as it comes.
 *
 * @throws UserError when a file is missing or no stack can be found; the rest is in the summary.
 */
export async function runImport(
  options: ImportOptions,
  { terminal, env }: CommandContext,
): Promise<SummaryRecorder> {
  const sources = await Promise.all(options.files.map((file) => openSource(file)));
  const token = await findIngestToken(options.dataDirectory, env);
  const addresses = options.addresses ?? createServiceAddresses(options.dataDirectory, env);
  const summary = createSummaryRecorder(
    ({ file, line, reason }) => terminal.note(`${file}:${line}: ${reason}`),
    options.keepErrors,
  );
  const transports: ClosableTransport[] = [];
  const importer = createImporter({
    summary,
    async connect(service) {
      const address = await addresses.grpcAddress(service);
      if (address === undefined) return undefined;
      const transport = createGrpcTransport({ address, ...(token === undefined ? {} : { token }) });
      transports.push(transport);
      return transport;
    },
  });
  try {
    await importSources(sources, {
      importer,
      summary,
      progress: (progress) => terminal.progress(progress),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } finally {
    await Promise.all(transports.map((transport) => transport.close()));
  }
  return summary;
}
