import { Code } from "@connectrpc/connect";
import { WatchChangesResponseSchema } from "@storefront/contracts/feed/v1/feed_service";
import type { WatchChangesRequest } from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { encoded, EncodedWriter, ServiceError } from "@storefront/rpc";
import type { LogBatch, LogFilter, LogSource } from "../log-source.ts";
import type { LogTail } from "../log-tail.ts";
import { streamed, wantedOf } from "./handlers.ts";
import type { FeedHandlers } from "./handlers.ts";

const fields = WatchChangesResponseSchema.field;

export function watchChanges(deps: {
  source: LogSource;
  tail: LogTail;
}): FeedHandlers["watchChanges"] {
  const { source, tail } = deps;
  async function* watch(
    { afterSequence, afterIdentity, kinds, fromNow, heartbeatMs }: WatchChangesRequest,
    signal: AbortSignal,
  ) {
    const newest = await source.newest();
    const { sequence, identity } = newest;
    if (!fromNow && afterIdentity === "" && afterSequence > sequence) throw beyondTheLog(sequence);
    // Told at once, because what is committed next may come before the first heartbeat.
    let logId = sequence > 0n ? await source.id() : "";
    if (fromNow) yield { newestSequence: sequence, newestIdentity: identity, logId, heartbeatMs };
    const after = fromNow ? newest : { sequence: afterSequence, identity: afterIdentity };
    const options = {
      after,
      filter: filterOf(kinds),
      heartbeatMs: heartbeatMs || undefined,
      signal,
    };
    for await (const batch of tail.watch(options)) {
      if (logId === "" && batch.newest.sequence > 0n) logId = await source.id();
      yield encoded(WatchChangesResponseSchema, messageOf(batch, logId, heartbeatMs));
    }
  }
  return (request, { signal }) => streamed(watch(request, signal));
}

function filterOf(kinds: string[]): LogFilter | undefined {
  const wanted = wantedOf(kinds);
  return wanted && { kinds: wanted };
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

function beyondTheLog(newest: bigint): ServiceError {
  return new ServiceError({
    code: Code.OutOfRange,
    reason: ErrorReason.SEQUENCE_OUT_OF_RANGE,
    message: `the log ends at sequence ${newest}`,
    metadata: { newestSequence: String(newest) },
  });
}
