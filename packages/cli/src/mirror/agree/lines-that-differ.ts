import { compareLines } from "./placed-line.ts";
import type { PlacedLine } from "./placed-line.ts";

/** A line that one side has and the other has not, or not there. */
export type DifferingLine =
  | { readonly side: "copy"; readonly line: PlacedLine }
  | {
      readonly side: "snapshot";
      readonly line: PlacedLine;
      /** What the copy has in its place: what comes next there. */
      readonly next: PlacedLine | undefined;
    };

/** What is compared: lines in the order of an export, some at a time. */
interface ComparedLines {
  copy: AsyncIterable<readonly PlacedLine[]>;
  snapshot: AsyncIterable<readonly PlacedLine[]>;
  /** Kinds of the snapshot in its order; those that it has not come before all. */
  kindOrder: ReadonlyMap<string, number>;
  /** Whether lines at one place say the same in other words. */
  isSame: (copy: PlacedLine, snapshot: PlacedLine) => boolean;
}

/**
 * What differs between two streams of lines, by walking both at once: one batch of each is in memory. Where one is
 * not in the expected order, lines are given that the other has elsewhere; never is one passed over that it has not.
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
  copy: PlacedLine | undefined,
  snapshot: PlacedLine | undefined,
  kindOrder: ReadonlyMap<string, number>,
): number {
  if (copy === undefined) return 1;
  if (snapshot === undefined) return -1;
  return copy.text === snapshot.text ? 0 : compareLines(copy, snapshot, kindOrder);
}

/** Lines one by one, without a turn of the event loop for each. */
export class LineReader implements AsyncDisposable {
  readonly #batches: AsyncIterator<readonly PlacedLine[]>;
  #batch: readonly PlacedLine[] = [];
  #index = 0;

  constructor(batches: AsyncIterable<readonly PlacedLine[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Undefined at the end of a batch, after which there may be another. */
  get current(): PlacedLine | undefined {
    return this.#batch[this.#index];
  }

  /** The first line of the next batch that has one; undefined when there is none. */
  async load(): Promise<PlacedLine | undefined> {
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
