/** How requests are sent: so many at once, each after a response, or so many a second, whatever comes back. */
export type AskPlan = { seconds: number } & ({ atOnce: number } | { perSecond: number });

/** What became of them. */
export interface AskResult {
  /** Responds with status 200 a second. */
  givenPerSecond: number;
  /** 99th percentile of the time that those took. */
  p99Ms: number;
  /** Responds with status 503. */
  refused: number;
  /** Everything else. */
  failed: number;
}
