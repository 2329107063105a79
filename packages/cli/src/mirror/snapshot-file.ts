import { kinds } from "@storefront/import-format";
import { openSource } from "../import/open-source.ts";
import type { Source } from "../import/open-source.ts";
import { readLines } from "../import/read-lines.ts";
import { UserError } from "../user-error.ts";

/** A line of a snapshot. */
export interface SnapshotLine {
  /** From 1. */
  number: number;
  text: string;
  sizeBytes: number;
}

/** The lines of a snapshot's file, some at a time. */
export async function* snapshotLines(source: Source): AsyncGenerator<SnapshotLine[]> {
  for await (const lines of readLines(source.chunks())) yield lines.map(withoutProblem);
}

function withoutProblem(line: SnapshotLine | { problem: string }): SnapshotLine {
  if (!("problem" in line)) return line;
  throw new UserError(`The snapshot is no import file: ${line.problem}.`);
}

/** The lines of one service alone; those of others are not looked into. */
export async function* snapshotLinesOf(
  service: string,
  path: string,
): AsyncGenerator<SnapshotLine[]> {
  for await (const lines of snapshotLines(await openSource(path))) {
    yield lines.filter(({ text }) => kinds.get(kindOfLine(text))?.service === service);
  }
}

/** The kind of a line, by how all lines of a snapshot begin. */
export function kindOfLine(text: string): string {
  return /^\{(?:"restored":true,)?"kind":"(\w+)"/.exec(text)?.[1] ?? "";
}
