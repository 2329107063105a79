import type { Progress, ProgressOptions } from "../terminal/progress.ts";
import { messageOf } from "../user-error.ts";
import type { Importer } from "./importer.ts";
import { ChannelBrokenError } from "./ingest-channel.ts";
import type { Source } from "./open-source.ts";
import { readLines } from "./read-lines.ts";
import { explainBrokenChannel } from "./explain-broken-channel.ts";
import type { SummaryRecorder } from "./summary.ts";

/** What reading sources into an importer uses. */
export interface ImportSourcesOptions {
  importer: Importer;
  summary: SummaryRecorder;
  progress: (options: ProgressOptions) => Progress;
  /** Breaks the import off between two lines. */
  signal?: AbortSignal;
}

/**
 * Imports sources one after the other and waits for every answer. What goes wrong is in the
 * summary: lines, a source that cannot be read to its end, a connection that broke for good.
 */
export async function importSources(
  sources: readonly Source[],
  options: ImportSourcesOptions,
): Promise<void> {
  const { importer, summary } = options;
  try {
    for (const source of sources) await importSource(source, options);
  } catch (error) {
    if (!(error instanceof ChannelBrokenError)) throw error;
    // `finish` gives it again, with those of other services.
    options.signal?.throwIfAborted();
  }
  for (const error of await importer.finish()) {
    if (!(error instanceof ChannelBrokenError)) throw error;
    const { file, line } = error.firstUnanswered ?? { file: sources[0]?.name ?? "", line: 1 };
    summary.rejected({ file, line }, explainBrokenChannel(error));
  }
}

async function importSource(
  source: Source,
  { importer, summary, progress, signal }: ImportSourcesOptions,
): Promise<void> {
  const display = progress({
    label: `Importing ${source.name}`,
    ...(source.sizeBytes === undefined ? {} : { total: source.sizeBytes }),
  });
  const file = source.name;
  let lastLine = 0;
  let records = 0;
  try {
    for await (const lines of readLines(source.chunks())) {
      signal?.throwIfAborted();
      for (const line of lines) {
        const place = { file, line: line.number };
        lastLine = line.number;
        if ("problem" in line) {
          summary.rejected(place, line.problem);
        } else {
          records += 1;
          await importer.addLine(line.text, place, line.sizeBytes);
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
