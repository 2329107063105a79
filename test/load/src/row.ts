/** What one measured pair gave: medians over the rounds, in the unit of the case. */
export interface Measurement {
  ours: number;
  peer: number;
  /** ours / peer; more is better. */
  ratio: number;
  /** 99th percentile of latency, ours / peer; less is better. */
  p99Ratio?: number;
}

/** One line of the table in the performance goals. */
export interface Row {
  /** As in the table of goals. */
  number: number;
  case: string;
  /** Goal for `ratio`, at least. */
  goal: number;
  /** Starts what it needs, measures in turn, and stops it. */
  measure(report: (progress: string) => void): Promise<Measurement>;
}

/** A row with its figures, as `--json` prints it. */
export interface MeasuredRow extends Measurement {
  number: number;
  case: string;
}
