import { kinds } from "@storefront/import-format";
import type { Importer } from "../import/importer.ts";
import { openSource } from "../import/open-source.ts";
import type { Source } from "../import/open-source.ts";
import { readLines } from "../import/read-lines.ts";
import type { Terminal } from "../terminal.ts";
import { UserError } from "../user-error.ts";
import type { ImportCheck } from "./copy.ts";

/** A line of a snapshot. */
interface SnapshotLine {
  /** From 1. */
  number: number;
  text: string;
  sizeBytes: number;
}

/** The lines of a snapshot's file, in batches. */
async function* snapshotLines(source: Source): AsyncGenerator<SnapshotLine[]> {
  for await (const lines of readLines(source.chunks())) yield lines.map(withoutProblem);
}

function withoutProblem(line: SnapshotLine | { problem: string }): SnapshotLine {
  if (!("problem" in line)) return line;
  throw new UserError(`The snapshot is no import file: ${line.problem}.`);
}

/** The lines of one service; those of others are not parsed. */
export async function* snapshotLinesOf(
  service: string,
  path: string,
): AsyncGenerator<SnapshotLine[]> {
  for await (const lines of snapshotLines(await openSource(path))) {
    yield lines.filter(({ text }) => kinds.get(kindOfLine(text))?.service === service);
  }
}

/** The kind of a line, from the prefix that all lines of a snapshot have. */
function kindOfLine(text: string): string {
  return /^\{(?:"restored":true,)?"kind":"(\w+)"/.exec(text)?.[1] ?? "";
}

interface ImportSnapshotOptions {
  path: string;
  importer: Importer;
  check: ImportCheck;
  terminal: Terminal;
  signal: AbortSignal;
}

/**
 * Imports a snapshot's file; stored records do not change.
 *
 * @returns its kinds in their order
 * @throws UserError when it is not a snapshot, or a line was rejected
 */
export async function importSnapshot({
  path,
  importer,
  check,
  terminal,
  signal,
}: ImportSnapshotOptions): Promise<Map<string, number>> {
  const kindOrder = new Map<string, number>();
  const source = await openSource(path);
  const progress = terminal.progress({ label: "Importing the snapshot", total: source.sizeBytes });
  let records = 0;
  for await (const lines of snapshotLines(source)) {
    signal.throwIfAborted();
    for (const { text, number, sizeBytes } of lines) {
      records++;
      const kind = kindOfLine(text);
      if (!kindOrder.has(kind)) kindOrder.set(kind, kindOrder.size);
      await importer.addLine(text, { file: path, line: number }, sizeBytes);
    }
    check.throwIfRefused();
    progress.update(source.readBytes(), `${records.toLocaleString("en")} records`);
  }
  await importer.flush();
  check.throwIfRefused();
  progress.end(`${records.toLocaleString("en")} records`);
  return kindOrder;
}
