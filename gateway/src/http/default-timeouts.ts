/** What requests may take unless it is said otherwise, in milliseconds. */
export const defaultTimeouts = {
  /** The answer of a request, from when it is understood. */
  requestMs: 5000,
  /** A request line and its headers to arrive. */
  headersMs: 10_000,
  /** A whole request to arrive. */
  arrivalMs: 30_000,
  /** A client to take a whole response; files have more by their size, streams of events any time. */
  answerMs: 120_000,
  /** A client to take nothing of its answer. */
  stallMs: 60_000,
  /**
   * A connection without a request. Longer than balancers keep theirs, so that they do not send into a closing one: up
   * to 600 s, of Google Cloud's.
   */
  keepAliveMs: 620_000,
} as const;
