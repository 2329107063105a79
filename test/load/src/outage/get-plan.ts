/** GETs at an even rate, in turn, whatever comes back. */
export interface GetPlan {
  paths: string[];
  perSecond: number;
  seconds: number;
}

/** What became of them. */
export interface GetResult {
  asked: number;
  /** Responses that are those of before, to the byte. */
  whole: number;
  /** Others with status 200. */
  lacking: number;
  /** Everything else. */
  failed: number;
  p99Ms: number;
}
