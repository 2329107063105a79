import { Code } from "@connectrpc/connect";
import {
  FeedService,
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
import type { LogBatch, LogSource } from "./log-source.ts";
import { reportLog } from "./log-metrics.ts";
import { LogTail } from "./log-tail.ts";
import type { LogTailOptions } from "./log-tail.ts";

const fields = WatchChangesResponseSchema.field;

/** Kinds of one request; more than any service has. */
const maxKinds = 100;

/** The log to serve, how it is watched, and where it is reported; default nowhere. */
export type FeedOptions = Omit<LogTailOptions, "source"> & {
  readonly metrics?: Metrics | undefined;
} & ({ readonly source: LogSource } | { readonly database: Database; readonly schema: string });

/**
 * The change feed of an owner service, out of `<schema>.change_log` or another source of FeedEntry
 * messages. Stored bytes go out undecoded. The streams end when the server drains, and their
 * followers connect again.
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
      const wanted = kinds.length === 0 ? undefined : kinds;
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
        throw error instanceof DatabaseUnavailableError ? unavailable("database", error) : error;
      }
    },
  });
  return { ...provided, drain: () => tail.close() };
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
