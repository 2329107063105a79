import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { Database } from "@storefront/database";
import { provide } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { Metrics } from "@storefront/telemetry";
import { changeLogSource } from "./change-log-source.ts";
import type { CurrentRecords, RecordsWithPast } from "./log-entry.ts";
import { LogFollowers } from "./log-followers.ts";
import { reportLog } from "./log-metrics.ts";
import type { LogSource } from "./log-source.ts";
import { LogTail } from "./log-tail.ts";
import type { LogTailOptions } from "./log-tail.ts";
import { answered } from "./rpc/handlers.ts";
import { readSnapshot } from "./rpc/read-snapshot.ts";
import { watchChanges } from "./rpc/watch-changes.ts";

/** The log to serve, how it is watched, and where it is reported; default nowhere. */
export type FeedOptions = Omit<LogTailOptions, "source" | "polling"> & {
  readonly database: Database;
  /** Schema of the service, which has the table `log_follower`. */
  readonly schema: string;
  /** The log as serialized FeedEntry messages; default `<schema>.change_log`. */
  readonly source?: LogSource | undefined;
  /** What ReadSnapshot gives. */
  readonly records: CurrentRecords;
  /** What it gives to who asks for the past too. */
  readonly recordsWithPast: RecordsWithPast;
  readonly metrics?: Metrics | undefined;
};

/**
 * The change feed of an owner service. Stored bytes go out undecoded. The streams end when the server
 * drains, and their followers connect again. A snapshot goes on while the server drains.
 *
 * WatchChanges fails with INVALID_ARGUMENT, with FAILED_PRECONDITION (LOG_DIVERGED) when the entry
 * there is not the follower's, with OUT_OF_RANGE when a sequence without an identity is after the end
 * of the log, and with UNAVAILABLE when the database cannot be reached.
 */
export function provideFeed(options: FeedOptions): ProvidedService {
  const { database, schema, records, recordsWithPast, metrics } = options;
  const { polling } = database;
  const source = options.source ?? changeLogSource(database, schema);
  const followers = new LogFollowers(database, schema);
  const tail = new LogTail({ ...options, source, polling });
  if (metrics !== undefined) reportLog(metrics, polling, source, tail);
  const provided = provide(FeedService, {
    watchChanges: watchChanges({ source, tail }),
    readSnapshot: readSnapshot({ source, records, recordsWithPast }),
    acknowledgeChanges: ({ follower, sequence }) =>
      answered(async () => {
        await followers.acknowledge(follower, sequence);
        return {};
      }),
    describeLog: () => answered(() => describeLog(source, followers)),
  });
  return { ...provided, drain: () => tail.close() };
}

async function describeLog(source: LogSource, followers: LogFollowers) {
  const [newest, extent, listed] = await Promise.all([
    source.newest(),
    source.extent(),
    followers.list(),
  ]);
  return {
    newestSequence: newest.sequence,
    oldestSequence: extent.oldest,
    ...(extent.oldestAt && { oldestCommittedAt: timestampFromDate(extent.oldestAt) }),
    sizeBytes: extent.sizeBytes,
    followers: listed.map(({ name, sequence, acknowledgedAt }) => ({
      name,
      sequence,
      acknowledgedAt: timestampFromDate(acknowledgedAt),
      isAwaited: sequence >= extent.start,
    })),
  };
}
