/** The result of one pair: medians over the rounds, in the unit of the case. */
export interface Measurement {
  ours: number;
  peer: number;
  /** ours / peer; more is better. */
  ratio: number;
  /** 99th percentile of latency, ours / peer; less is better. */
  p99Ratio?: number;
}

/** How thoroughly to measure. */
export interface RowSettings {
  /** Whole seconds that one side is loaded at a time. */
  roundSeconds: number;
  /** How often each side is measured; the medians count. */
  rounds: number;
}

/** One line of the table in the performance goals. */
export interface Row {
  /** As in the table of goals. */
  number: number;
  case: string;
  /** Goal for `ratio`. */
  goal: number;
  /** Which side of the goal is good; default "at least". */
  goalIs?: "at least" | "at most";
  /** Starts what it needs, measures in turn, and stops it. */
  measure(report: (progress: string) => void, settings: RowSettings): Promise<Measurement>;
}

/** Rows that share a measured stack. */
export interface RowGroup {
  rows: readonly Row[];
  /** Stops what the rows have started. */
  stop(): Promise<void>;
}

/** A row with its figures, as `--json` prints it. */
export interface MeasuredRow extends Measurement {
  number: number;
  case: string;
}

/** Rounds to two decimals. */
export function rounded(ratio: number): number {
  return Math.round(ratio * 100) / 100;
}

/** A row whose peer is an upper limit, in the unit of its case. */
export interface LimitRow extends Pick<Row, "number" | "case"> {
  limit: number;
  measure(report: (progress: string) => void, settings: RowSettings): Promise<number>;
}

/** The row of a limit. */
export function limitRow(row: LimitRow): Row {
  const { number, case: title, limit } = row;
  return {
    number,
    case: title,
    goal: 1,
    goalIs: "at most",
    async measure(report, settings) {
      const ours = await row.measure(report, settings);
      return { ours, peer: limit, ratio: rounded(ours / limit) };
    },
  };
}
