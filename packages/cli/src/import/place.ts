/** Where a line stands. */
export interface Place {
  /** The file as it was named on the command line. */
  file: string;
  /** From 1. */
  line: number;
}

/** A line that was not applied, and why. */
export interface LineError extends Place {
  /** A sentence for people. */
  reason: string;
}
