import type { CommandContext } from "../command.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
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
  /** How long a service that is away is tried again, in milliseconds; 0 ends the import then. */
  retryForMs: number;
  /** Breaks the import off between two lines. */
  signal?: AbortSignal;
}

/** Long enough for services that are restarted in turn, or a database that fails over; 5 minutes. */
export const defaultRetryForMs = 300_000;

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
  const connections = await createServiceConnections(options.dataDirectory, env);
  const summary = createSummaryRecorder(
    ({ file, line, reason }) => terminal.note(`${file}:${line}: ${reason}`),
    options.keepErrors,
  );
  const importer = createImporter({
    summary,
    connect: (service) => connections.open(service),
    explain: (service, error) => connections.explain(service, error),
    retryForMs: options.retryForMs,
    note: (line) => terminal.note(line),
    signal: options.signal,
  });
  try {
    await importSources(sources, {
      importer,
      summary,
      progress: (progress) => terminal.progress(progress),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } finally {
    await connections.close();
  }
  return summary;
}
