import type { Importer } from "../import/importer.ts";
import { openSource } from "../import/open-source.ts";
import type { Terminal } from "../terminal.ts";
import { kindOfLine, snapshotLines } from "./snapshot-file.ts";

/** What a snapshot is imported with. */
export interface ImportSnapshotOptions {
  path: string;
  importer: Importer;
  /** Throws when a line was refused. */
  requireTaken: () => void;
  terminal: Terminal;
  signal: AbortSignal;
}

/**
 * Imports a snapshot's file; what is stored already changes nothing.
 *
 * @returns its kinds in their order
 * @throws UserError when it is none, or a line was refused
 */
export async function importSnapshot({
  path,
  importer,
  requireTaken,
  terminal,
  signal,
}: ImportSnapshotOptions): Promise<Map<string, number>> {
  const kindOrder = new Map<string, number>();
  const source = await openSource(path);
  const total = source.sizeBytes;
  const progress = terminal.progress({
    label: "Importing the snapshot",
    ...(total !== undefined && { total }),
  });
  let records = 0;
  for await (const lines of snapshotLines(source)) {
    signal.throwIfAborted();
    for (const { text, number, sizeBytes } of lines) {
      records++;
      const kind = kindOfLine(text);
      if (!kindOrder.has(kind)) kindOrder.set(kind, kindOrder.size);
      await importer.addLine(text, { file: path, line: number }, sizeBytes);
    }
    requireTaken();
    progress.update(source.readBytes(), `${records.toLocaleString("en")} records`);
  }
  await importer.flush();
  requireTaken();
  progress.end(`${records.toLocaleString("en")} records`);
  return kindOrder;
}
