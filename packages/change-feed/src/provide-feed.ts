import { Code } from "@connectrpc/connect";
import {
  FeedService,
  ReadSnapshotResponseSchema,
  WatchChangesResponseSchema,
} from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { DatabaseUnavailableError } from "@storefront/database";
import type { Database } from "@storefront/database";
import {
  encoded,
  EncodedWriter,
  provide,
  RequestCheck,
  ServiceError,
  unavailable,
} from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { Metrics } from "@storefront/telemetry";
import { changeLogSource } from "./change-log-source.ts";
import type { CurrentRecords } from "./current-records.ts";
import type { LogBatch, LogSource } from "./log-source.ts";
import { reportLog } from "./log-metrics.ts";
import { LogTail } from "./log-tail.ts";
import type { LogTailOptions } from "./log-tail.ts";
import { snapshotBatches } from "./snapshot-batches.ts";

const fields = WatchChangesResponseSchema.field;

/** Kinds of one request; more than any service has. */
const maxKinds = 100;

/** The log to serve, how it is watched, and where it is reported; default nowhere. */
export type FeedOptions = Omit<LogTailOptions, "source"> & {
  /** What ReadSnapshot gives. */
  readonly records: CurrentRecords;
  readonly metrics?: Metrics | undefined;
} & ({ readonly source: LogSource } | { readonly database: Database; readonly schema: string });

/**
 * The change feed of an owner service, out of `<schema>.change_log` or another source of FeedEntry
 * messages. Stored bytes go out undecoded. The streams end when the server drains, and their
 * followers connect again. A snapshot goes on while the server drains.
 *
 * WatchChanges fails with INVALID_ARGUMENT, with FAILED_PRECONDITION (LOG_DIVERGED) when the entry
 * there is not the follower's, with OUT_OF_RANGE when a sequence without an identity is after the end
 * of the log, and with UNAVAILABLE when the database cannot be reached.
 */
export function provideFeed(options: FeedOptions): ProvidedService {
  const source =
    "source" in options ? options.source : changeLogSource(options.database, options.schema);
  const tail = new LogTail({ ...options, source });
  if (options.metrics !== undefined) reportLog(options.metrics, source, tail);
  const provided = provide(FeedService, {
    async *watchChanges({ afterSequence, afterIdentity, kinds, fromNow }, { signal }) {
      const check = new RequestCheck();
      check.that("after_sequence", afterSequence >= 0n, "must not be negative");
      check.identifiers("kinds", kinds, maxKinds);
      if (afterIdentity !== "") check.identifier("after_identity", afterIdentity);
      check.done();
      const wanted = wantedOf(kinds);
      try {
        const newest = await source.newest();
        const { sequence, identity } = newest;
        if (!fromNow && afterIdentity === "" && afterSequence > sequence) {
          throw beyondTheLog(sequence);
        }
        // Told at once, because what is committed next may come before the first heartbeat.
        let logId = sequence > 0n ? await source.id() : "";
        if (fromNow) yield { newestSequence: sequence, newestIdentity: identity, logId };
        const after = fromNow ? newest : { sequence: afterSequence, identity: afterIdentity };
        for await (const batch of tail.watch({ after, kinds: wanted, signal })) {
          if (logId === "" && batch.newest.sequence > 0n) logId = await source.id();
          yield encoded(WatchChangesResponseSchema, messageOf(batch, logId));
        }
      } catch (error) {
        throw toldToCallers(error);
      }
    },

    async *readSnapshot({ kinds }, { signal }) {
      const check = new RequestCheck();
      check.identifiers("kinds", kinds, maxKinds);
      check.done();
      try {
        // Before the first record: whatever is written from here on is in the log after it.
        const position = await source.newest();
        for await (const message of snapshotBatches(position, options.records(wantedOf(kinds)))) {
          if (signal.aborted) return;
          yield encoded(ReadSnapshotResponseSchema, message);
        }
      } catch (error) {
        throw toldToCallers(error);
      }
    },
  });
  return { ...provided, drain: () => tail.close() };
}

function wantedOf(kinds: string[]): string[] | undefined {
  return kinds.length === 0 ? undefined : kinds;
}

function toldToCallers(error: unknown): unknown {
  return error instanceof DatabaseUnavailableError ? unavailable("database", error) : error;
}

function messageOf({ entries, newest }: LogBatch, logId: string): Uint8Array {
  return new EncodedWriter()
    .messages(fields.entries.number, entries)
    .varint(fields.newestSequence.number, newest.sequence)
    .string(fields.logId.number, logId)
    .string(fields.newestIdentity.number, newest.identity)
    .finish();
}

function beyondTheLog(newest: bigint): ServiceError {
  return new ServiceError({
    code: Code.OutOfRange,
    reason: ErrorReason.SEQUENCE_OUT_OF_RANGE,
    message: `the log ends at sequence ${newest}`,
    metadata: { newestSequence: String(newest) },
  });
}
