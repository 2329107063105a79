import type { TestStack } from "@storefront/testkit";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** On a busy machine even the database may not respond for long. */
const retryFor = "6h";

/** An imported part. */
export interface FilledPart {
  readonly part: string;
  readonly lines: number;
  readonly seconds: number;
  /** ISO 8601 time. */
  readonly endedAt: string;
}

/** How a catalogue was filled, over all runs that did so. */
export interface Fill {
  readonly parts: readonly FilledPart[];
}

/** What to import, and where to record the progress. */
export interface FillOptions {
  readonly stack: TestStack;
  /** Paths of files. */
  readonly parts: readonly string[];
  readonly directory: string;
  readonly report: (progress: string) => void;
}

/** Imports the parts that no run has imported, one after the other, and records how long each took. */
export async function fillCatalogue(options: FillOptions): Promise<Fill> {
  const { stack, parts, directory, report } = options;
  const note = join(directory, "fill.json");
  const filled = await readFill(note);
  const known = new Set(filled.map(({ part }) => part));
  for (const path of parts) {
    const part = basename(path);
    if (known.has(part)) continue;
    const startedAtMs = performance.now();
    const parameters = ["import", path, "--json", "--retry-for", retryFor];
    const { status, stdout, stderr } = await stack.cli(parameters);
    const seconds = (performance.now() - startedAtMs) / 1_000;
    if (status !== 0) throw new Error(`${part} was not imported, status ${status}: ${stderr}`);
    const { kinds } = JSON.parse(stdout) as { kinds: Record<string, { read: number }> };
    const lines = Object.values(kinds).reduce((sum, { read }) => sum + read, 0);
    const endedAt = new Date().toISOString();
    filled.push({ part, lines, seconds, endedAt });
    await writeFile(note, JSON.stringify({ parts: filled }));
    const rate = Math.round(lines / seconds);
    report(`${endedAt} ${part} of ${parts.length}: ${lines} lines, ${rate} lines/s`);
  }
  return { parts: filled };
}

async function readFill(note: string): Promise<FilledPart[]> {
  try {
    return (JSON.parse(await readFile(note, "utf8")) as { parts: FilledPart[] }).parts;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
