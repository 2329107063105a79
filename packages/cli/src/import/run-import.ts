import type { CommandContext } from "../command.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import { defaultRetryForMs, importSources } from "./import-sources.ts";
import type { ImportFailure } from "./import-sources.ts";
import { openSource } from "./open-source.ts";
import { createSummaryRecorder } from "./summary.ts";
import type { SummaryRecorder } from "./summary.ts";

/** Options of an import. */
export interface ImportOptions {
  /** Names of files, `-` for standard input. */
  files: readonly string[];
  /** Whether the summary lists every error. */
  keepErrors: boolean;
  /** How long an unavailable service is retried, in milliseconds; 0 ends the import then. Default 5 minutes. */
  retryForMs?: number | undefined;
  /** Ends the import between two lines. */
  signal?: AbortSignal;
}

/**
 * Imports files into a running stack, one after the other, and waits until all lines are settled. The
 * summary has all failures: lines, which are also printed at once, a file that cannot be read to its end, a
 * connection that broke permanently.
 *
 * @throws UserError when a file is missing or no stack can be found.
 */
export async function runImport(
  { files, keepErrors, retryForMs = defaultRetryForMs, signal }: ImportOptions,
  context: CommandContext,
): Promise<SummaryRecorder> {
  const { terminal } = context;
  const sources = await Promise.all(files.map((file) => openSource(file)));
  await using connections = await createServiceConnections(context);
  const summary = createSummaryRecorder(
    ({ file, line, reason }) => terminal.note(`${file}:${line}: ${reason}`),
    keepErrors ? Infinity : 0,
  );
  const onUnreadable = ({ position, reason }: ImportFailure) => summary.rejected(position, reason);
  const { note } = terminal;
  const failures = await importSources(sources, {
    summary,
    connections,
    retryForMs,
    note,
    signal,
    progress: ({ name, sizeBytes }) =>
      terminal.progress({ label: `Importing ${name}`, total: sizeBytes }),
    onUnreadable,
  });
  failures.forEach(onUnreadable);
  return summary;
}
