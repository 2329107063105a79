export { appendToLog, encodeCommitted, encodeEntry } from "./log/log-entry.ts";
export { changeLogSource, maxScannedEntries } from "./log/change-log-source.ts";
export {
  checkPosition,
  beginningOfLog,
  identityOf,
  microsecondsSql,
  maxBatchBytes,
  maxBatchEntries,
} from "./log/log-source.ts";
export { CommitSignal, LogTail } from "./log/log-tail.ts";
export type { CurrentRecords, LogEntry, RecordsWithPast } from "./log/log-entry.ts";
export type { Lag } from "./feed-lag.ts";
export { feedLossOf } from "./resynchronise.ts";
export type { FeedLoss, Resynchronisation, Resynchronise } from "./resynchronise.ts";
export { FeedMetrics } from "./feed-metrics.ts";
export { FeedLease, LeaseLostError } from "./feed-lease.ts";
export { followFeed } from "./follow-feed.ts";
export type { FeedFollower, FollowerHealth } from "./feed-follower.ts";
export type { FollowOptions } from "./follow-options.ts";
export type { LogPosition, LogBatch, LogExtent, LogFilter, LogSource } from "./log/log-source.ts";
export { LogMaintenance } from "./retention/log-maintenance.ts";
export type { LogMaintenanceOptions, LogRetention } from "./retention/log-maintenance.ts";
export type { LogTailOptions, WatchOptions } from "./log/log-tail.ts";
export { provideFollowers } from "./provide-followers.ts";
export { provideFeed } from "./log/provide-feed.ts";
export type { FeedOptions } from "./log/provide-feed.ts";
export { maxQuarantined, Quarantine } from "./quarantine.ts";
export { beginSnapshot, reconcileWithSnapshot } from "./reconcile-with-snapshot.ts";
export { SnapshotProgressStore } from "./snapshot-progress.ts";
export type { SnapshotProgress } from "./snapshot-progress.ts";
export type { HeldRange, SnapshotReconciliation } from "./take-snapshot.ts";
export type { RetryOutcome } from "./retry-quarantined.ts";
export { asWriter } from "./writers-first.ts";
export type { RebuildIndex } from "./provide-followers.ts";
