import { compareLines } from "./export-line.ts";
import type { ExportLine } from "./export-line.ts";

/** A line that the other side lacks at this position. */
export type DifferingLine =
  | { readonly side: "copy"; readonly line: ExportLine }
  | {
      readonly side: "snapshot";
      readonly line: ExportLine;
      /** The next line of the copy. */
      readonly next: ExportLine | undefined;
    };

/** What is compared: lines in the order of an export, some at a time. */
interface ComparedLines {
  copy: AsyncIterable<readonly ExportLine[]>;
  snapshot: AsyncIterable<readonly ExportLine[]>;
  /** Kinds of the snapshot in its order; other kinds sort before them. */
  kindOrder: ReadonlyMap<string, number>;
  /** Whether lines at one position differ in form only. */
  isSame: (copy: ExportLine, snapshot: ExportLine) => boolean;
}

/**
 * The differences of two streams of lines, which are read at once: one batch of each is in memory. Where one is not in
 * the expected order, some lines that both have are given too; no difference is left out.
 */
export async function* linesThatDiffer(compared: ComparedLines): AsyncGenerator<DifferingLine> {
  const { kindOrder, isSame } = compared;
  await using copies = new LineReader(compared.copy);
  await using named = new LineReader(compared.snapshot);
  for (;;) {
    const copy = copies.current ?? (await copies.load());
    const snapshot = named.current ?? (await named.load());
    if (copy === undefined && snapshot === undefined) return;
    const order = orderOf(copy, snapshot, kindOrder);
    if (order <= 0) copies.advance();
    if (order >= 0) named.advance();
    if (order < 0 && copy !== undefined) yield { side: "copy", line: copy };
    if (order > 0 && snapshot !== undefined) yield { side: "snapshot", line: snapshot, next: copy };
    if (order !== 0 || copy === undefined || snapshot === undefined) continue;
    if (copy.text === snapshot.text || isSame(copy, snapshot)) continue;
    yield { side: "copy", line: copy };
    yield { side: "snapshot", line: snapshot, next: undefined };
  }
}

function orderOf(
  copy: ExportLine | undefined,
  snapshot: ExportLine | undefined,
  kindOrder: ReadonlyMap<string, number>,
): number {
  if (copy === undefined) return 1;
  if (snapshot === undefined) return -1;
  return copy.text === snapshot.text ? 0 : compareLines(copy, snapshot, kindOrder);
}

/** Reads lines one by one, without a turn of the event loop for each. */
export class LineReader implements AsyncDisposable {
  readonly #batches: AsyncIterator<readonly ExportLine[]>;
  #batch: readonly ExportLine[] = [];
  #index = 0;

  constructor(batches: AsyncIterable<readonly ExportLine[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Undefined at the end of a batch, after which there may be another. */
  get current(): ExportLine | undefined {
    return this.#batch[this.#index];
  }

  /** The first line of the next batch that has one; undefined when there is none. */
  async load(): Promise<ExportLine | undefined> {
    while (this.current === undefined) {
      const { done, value } = await this.#batches.next();
      if (done === true) return undefined;
      this.#batch = value;
      this.#index = 0;
    }
    return this.current;
  }

  advance(): void {
    this.#index++;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batches.return?.();
  }
}
