/** GETs at an even rate, in turn, whatever the responses. */
export interface GetPlan {
  paths: string[];
  perSecond: number;
  seconds: number;
}

/** The results of a plan. */
export interface GetResult {
  asked: number;
  /** Responses identical to those before, to the byte. */
  whole: number;
  /** Others with status 200. */
  lacking: number;
  /** Everything else. */
  failed: number;
  p99Ms: number;
}
