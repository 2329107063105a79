/** What a progress display says. */
export interface ProgressOptions {
  /** What is being done, such as `Importing catalog.ndjson.gz`. */
  label: string;
  /** Amount of work, in any unit; absent when it is not known. */
  total?: number;
}

/** A display of how far a work is. */
export interface Progress {
  /**
   * @param done amount of work done, in the unit of the total.
   * @param detail what to show beside it, such as `12,000 records`.
   */
  update(done: number, detail?: string): void;
  /** Takes the display away until the next update, so that a line can be written. */
  clear(): void;
  /** Ends the display; a last line tells the detail. */
  end(detail?: string): void;
}

/** Whole percent done, 0 to 100; undefined while the total is unknown. */
export function percentOf(done: number, total: number | undefined): number | undefined {
  if (total === undefined || total <= 0) return undefined;
  return Math.min(100, Math.floor((done / total) * 100));
}
