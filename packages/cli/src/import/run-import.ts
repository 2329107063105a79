import type { CommandContext } from "../command.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import type { Terminal } from "../terminal.ts";
import { messageOf } from "../user-error.ts";
import { createImporter } from "./importer.ts";
import type { Importer } from "./importer.ts";
import { ChannelBrokenError } from "./ingest-channel.ts";
import { openSource } from "./open-source.ts";
import type { Source } from "./open-source.ts";
import { readLines } from "./read-lines.ts";
import { createSummaryRecorder } from "./summary.ts";
import type { SummaryRecorder } from "./summary.ts";

/** What to import. */
interface ImportOptions {
  /** Names of files, `-` for standard input. */
  files: readonly string[];
  /** Whether the summary lists every error. */
  keepErrors: boolean;
  /**
   * How long an unavailable service is retried, in milliseconds; 0 ends the import then. Default 5
   * minutes: long enough for services that restart in turn, or a database that fails over.
   */
  retryForMs?: number | undefined;
  /** Ends the import between two lines. */
  signal?: AbortSignal;
}

/**
 * Imports files into a running stack, one after the other, and waits until all lines are settled. The
 * summary has what failed: lines, which are noted at once, a file that cannot be read to its end, a
 * connection that broke for good.
 *
 * @throws UserError when a file is missing or no stack can be found.
 */
export async function runImport(
  { files, keepErrors, retryForMs = 300_000, signal }: ImportOptions,
  context: CommandContext,
): Promise<SummaryRecorder> {
  const { terminal } = context;
  const sources = await Promise.all(files.map((file) => openSource(file)));
  await using connections = await createServiceConnections(context);
  const summary = createSummaryRecorder(
    ({ file, line, reason }) => terminal.note(`${file}:${line}: ${reason}`),
    keepErrors,
  );
  const { note } = terminal;
  const importer = createImporter({ summary, connections, retryForMs, note, signal });
  try {
    for (const source of sources)
      await importSource(source, { importer, summary, terminal, signal });
  } catch (error) {
    if (!(error instanceof ChannelBrokenError)) throw error;
    // `finish` returns it again, with those of other services.
    signal?.throwIfAborted();
  }
  for (const error of await importer.finish()) {
    if (!(error instanceof ChannelBrokenError)) throw error;
    const { file, line } = error.firstUnanswered ?? { file: sources[0]?.name ?? "", line: 1 };
    summary.rejected({ file, line }, error.reason);
  }
  return summary;
}

interface SourceImport {
  importer: Importer;
  summary: SummaryRecorder;
  terminal: Terminal;
  signal: AbortSignal | undefined;
}

async function importSource(
  source: Source,
  { importer, summary, terminal, signal }: SourceImport,
): Promise<void> {
  const display = terminal.progress({
    label: `Importing ${source.name}`,
    total: source.sizeBytes,
  });
  const file = source.name;
  let lastLine = 0;
  let records = 0;
  try {
    for await (const lines of readLines(source.chunks())) {
      signal?.throwIfAborted();
      for (const line of lines) {
        const position = { file, line: line.number };
        lastLine = line.number;
        if ("problem" in line) {
          summary.rejected(position, line.problem);
        } else {
          records += 1;
          await importer.addLine(line.text, position, line.sizeBytes);
        }
      }
      display.update(source.readBytes(), `${records.toLocaleString("en")} records`);
    }
    display.end(`${records.toLocaleString("en")} records read`);
  } catch (error) {
    display.end("broken off");
    if (!isReadError(error)) throw error;
    const reason = `the file cannot be read any further: ${messageOf(error)}`;
    summary.rejected({ file, line: lastLine + 1 }, reason);
  }
}

/** Whether the system or zlib failed to read; their errors carry a code. */
function isReadError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    (error.code.startsWith("Z_") || "syscall" in error)
  );
}
