/** How requests are sent: so many at once, each after a response, or so many a second, whatever the responses. */
export type AskPlan = { seconds: number } & ({ atOnce: number } | { perSecond: number });

/** The results of a plan. */
export interface AskResult {
  /** Responses with status 200 per second. */
  givenPerSecond: number;
  /** 99th percentile of their latency. */
  p99Ms: number;
  /** Responses with status 503. */
  refused: number;
  /** Everything else. */
  failed: number;
}
