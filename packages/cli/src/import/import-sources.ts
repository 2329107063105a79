import type { Progress } from "../terminal.ts";
import { messageOf } from "../user-error.ts";
import { createImporter } from "./importer.ts";
import type { Importer } from "./importer.ts";
import { ChannelBrokenError } from "./ingest-channel.ts";
import type { ImporterOptions } from "./ingest-channel.ts";
import type { Source } from "./open-source.ts";
import { readLines } from "./read-lines.ts";
import type { LinePosition } from "./summary.ts";

/**
 * How long an unavailable service is retried by default, in milliseconds: long enough for services that restart in
 * turn, or a database that fails over.
 */
export const defaultRetryForMs = 300_000;

/** Lines that were not read, or have no response. */
export interface ImportFailure {
  /** The first of them. */
  position: LinePosition;
  /** A sentence for people. */
  reason: string;
}

/** Options of an import of sources. */
export interface ImportSourcesOptions extends ImporterOptions {
  /** Shows the progress of a source; default not. */
  progress?: (source: Source) => Progress;
  /** A source cannot be read to its end; the others are. */
  onUnreadable: (failure: ImportFailure) => void;
}

/**
 * Imports sources, one after the other, and waits until all lines are settled. Lines that were not applied are in the
 * summary.
 *
 * @returns one failure for each service whose connection broke permanently.
 * @throws the signal's reason when it is aborted, and errors of a source, after its earlier lines are settled.
 */
export async function importSources(
  sources: readonly Source[],
  options: ImportSourcesOptions,
): Promise<ImportFailure[]> {
  const importer = createImporter(options);
  let fault: { error: unknown } | undefined;
  try {
    for (const source of sources) await importSource(source, importer, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    // `finish` returns it again, with those of other services.
    if (!(error instanceof ChannelBrokenError)) fault = { error };
  }
  const start = { file: sources[0]?.name ?? "", line: 1 };
  const failures = (await importer.finish()).map((error): ImportFailure => {
    if (!(error instanceof ChannelBrokenError)) throw error;
    return { position: error.firstUnanswered ?? start, reason: error.reason };
  });
  if (fault !== undefined) throw fault.error;
  return failures;
}

async function importSource(
  source: Source,
  importer: Importer,
  { summary, progress, onUnreadable, signal }: ImportSourcesOptions,
): Promise<void> {
  const display = progress?.(source);
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
      display?.update(source.readBytes(), `${records.toLocaleString("en")} records`);
    }
    display?.end(`${records.toLocaleString("en")} records read`);
  } catch (error) {
    display?.end("broken off");
    if (!isReadError(error)) throw error;
    const reason = `the file cannot be read any further: ${messageOf(error)}`;
    onUnreadable({ position: { file, line: lastLine + 1 }, reason });
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
