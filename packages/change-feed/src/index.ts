export { FeedLease, LeaseLostError } from "./follower/feed-lease.ts";
export { SnapshotProgressStore } from "./follower/feed-cursor.ts";
export type { SnapshotProgress } from "./follower/feed-cursor.ts";
export { FeedMetrics } from "./follower/feed-metrics.ts";
export { followFeed } from "./follower/follow-feed.ts";
export type {
  KeyRange,
  FeedFollower,
  FollowerHealth,
  FollowOptions,
  Resynchronisation,
  RetryOutcome,
} from "./follower/follow-options.ts";
export { asWriter } from "./follower/pace.ts";
export { provideFollowers } from "./follower/provide-followers.ts";
export type { RebuildIndex } from "./follower/provide-followers.ts";
export { maxQuarantined, Quarantine } from "./follower/quarantine.ts";
export { feedLossOf } from "./follower/resynchroniser.ts";
export type { FeedLoss } from "./follower/resynchroniser.ts";
export { beginSnapshot, reconcileWithSnapshot } from "./follower/take-snapshot.ts";
export { changeLogSource, maxScannedEntries } from "./log/change-log-source.ts";
export { appendToLog, encodeCommitted, encodeEntry } from "./log/log-entry.ts";
export type { CurrentRecords, LogEntry, RecordsWithPast } from "./log/log-entry.ts";
export {
  beginningOfLog,
  checkPosition,
  identityOf,
  maxBatchBytes,
  maxBatchEntries,
  microsecondsSql,
} from "./log/log-source.ts";
export type { LogBatch, LogExtent, LogFilter, LogPosition, LogSource } from "./log/log-source.ts";
export { CommitSignal, LogTail } from "./log/log-tail.ts";
export { provideFeed } from "./log/provide-feed.ts";
export { LogMaintenance } from "./retention/log-maintenance.ts";
export { logRetentionShape } from "./retention/log-maintenance.ts";
export type { LogRetention } from "./retention/log-maintenance.ts";
