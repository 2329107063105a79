/** What requests may take unless it is said otherwise, in milliseconds. */
export const defaultTimeouts = {
  /** The answer of a request, from when it is understood. */
  requestMs: 5000,
  /** A request line and its headers to arrive. */
  headersMs: 10_000,
  /** A whole request to arrive. */
  arrivalMs: 30_000,
  /** A client to take a whole answer, streams of events aside. */
  answerMs: 120_000,
  /** A client to take nothing of its answer. */
  stallMs: 60_000,
} as const;
