/** How long the entries of a log are kept. */
export interface LogRetention {
  /** Days for which each entry is kept at least; 0 keeps all for ever. */
  readonly retentionDays: number;
  /** Days more for which entries are kept that a registered follower has not passed. */
  readonly followerGraceDays: number;
}

/** What holds where nothing else is said. */
export const defaultLogRetention: LogRetention = { retentionDays: 30, followerGraceDays: 7 };
