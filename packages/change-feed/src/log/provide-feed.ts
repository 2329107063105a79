import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  FeedService,
  WatchChangesResponseSchema,
} from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { cachedWhileIdle } from "@storefront/database";
import type { Database, Polling } from "@storefront/database";
import { encoded, EncodedWriter, provide, ServiceError } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import { reportGauge, sampled } from "@storefront/process";
import type { Metrics } from "@storefront/process";
import { LogFollowers } from "../retention/log-followers.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { changeLogSource } from "./change-log-source.ts";
import type { CurrentRecords, RecordsWithPast } from "./log-entry.ts";
import type { LogBatch, LogSource } from "./log-source.ts";
import { LogTail } from "./log-tail.ts";
import type { LogTailOptions } from "./log-tail.ts";

/** The log to serve. Without `metrics` it is not reported. */
type FeedOptions = Omit<LogTailOptions, "source" | "polling"> & {
  /** Its errors are those for callers: UNAVAILABLE when the database is unavailable. */
  readonly database: Database;
  /** Schema of the service, with the table `log_follower`. */
  readonly schema: string;
  /** Serialized FeedEntry messages; default `<schema>.change_log`. */
  readonly source?: LogSource | undefined;
  /** Source of ReadSnapshot. */
  readonly records: CurrentRecords;
  /** Source of ReadSnapshot with past states. */
  readonly recordsWithPast: RecordsWithPast;
  readonly metrics?: Metrics | undefined;
};

/**
 * The change feed of an owner service. Stored bytes are sent undecoded. Streams end when the server drains,
 * so that followers reconnect; snapshots continue.
 *
 * WatchChanges fails with INVALID_ARGUMENT, with FAILED_PRECONDITION (LOG_DIVERGED) when the entry at the
 * position is another one, with OUT_OF_RANGE when a sequence without an identity is after the end of the log,
 * and with UNAVAILABLE when the database is unavailable.
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
    async acknowledgeChanges({ follower, sequence }) {
      await followers.acknowledge(follower, sequence);
      return {};
    },
    describeLog: () => describeLog(source, followers),
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

const fields = WatchChangesResponseSchema.field;

function watchChanges(deps: {
  source: LogSource;
  tail: LogTail;
}): ServiceImpl<typeof FeedService>["watchChanges"] {
  const { source, tail } = deps;
  return async function* watch(
    { afterSequence, afterIdentity, kinds, fromNow, heartbeatMs },
    { signal },
  ) {
    const newest = await source.newest();
    const { sequence, identity } = newest;
    if (!fromNow && afterIdentity === "" && afterSequence > sequence) throw beyondLog(sequence);
    // Sent at once, since the next commit may precede the first heartbeat.
    let logId = sequence > 0n ? await source.id() : "";
    if (fromNow) yield { newestSequence: sequence, newestIdentity: identity, logId, heartbeatMs };
    const after = fromNow ? newest : { sequence: afterSequence, identity: afterIdentity };
    const options = {
      after,
      filter: kinds.length === 0 ? undefined : { kinds },
      heartbeatMs: heartbeatMs || undefined,
      signal,
    };
    for await (const batch of tail.watch(options)) {
      if (logId === "" && batch.newest.sequence > 0n) logId = await source.id();
      yield encoded(WatchChangesResponseSchema, messageOf(batch, logId, heartbeatMs));
    }
  };
}

function messageOf({ entries, newest }: LogBatch, logId: string, heartbeatMs: number): Uint8Array {
  return new EncodedWriter()
    .messages(fields.entries.number, entries)
    .varint(fields.newestSequence.number, newest.sequence)
    .string(fields.logId.number, logId)
    .string(fields.newestIdentity.number, newest.identity)
    .varint(fields.heartbeatMs.number, heartbeatMs)
    .finish();
}

function beyondLog(newest: bigint): ServiceError {
  return new ServiceError({
    code: Code.OutOfRange,
    reason: ErrorReason.SEQUENCE_OUT_OF_RANGE,
    message: `the log ends at sequence ${newest}`,
    metadata: { newestSequence: String(newest) },
  });
}

/** Reports the log of a service and its watchers. One per registry. */
function reportLog(metrics: Metrics, polling: Polling, source: LogSource, tail: LogTail): void {
  const extent = sampled(cachedWhileIdle(polling, () => source.extent()));
  reportGauge(
    metrics,
    {
      name: "change_log_entries",
      help: "Entries of the service's change log, at most: sequences have gaps.",
    },
    async () => {
      const known = await extent();
      return known === undefined ? [] : [[{}, Number(known.length)]];
    },
  );
  reportGauge(
    metrics,
    {
      name: "change_log_oldest_entry_age_seconds",
      help: "Age of the oldest entry of the service's change log; 0 while it is empty.",
    },
    async () => {
      const known = await extent();
      if (known === undefined) return [];
      const ageMs = known.oldestAt === undefined ? 0 : Date.now() - known.oldestAt.getTime();
      return [[{}, Math.max(0, ageMs) / 1000]];
    },
  );
  reportGauge(
    metrics,
    {
      name: "change_log_followers",
      help: "Streams of this process that follow the service's change log.",
    },
    () => [[{}, tail.watcherCount]],
  );
}
