import { Code, ConnectError } from "@connectrpc/connect";
import type { CallOptions } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import { defaultSilenceLimitMs, watched } from "../upstream/watched.ts";
import type { WatchOptions } from "../upstream/watched.ts";
import type { WatchedRecords } from "./followed-log.ts";

const firstBackoffMs = 100;
const maxBackoffMs = 5000;

/** Why a log cannot be gone on with: what was given is no part of it any more, or some of what follows. */
const lostReasons: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.ENTRY_UNDONE,
  ErrorReason.LOG_DIVERGED,
  ErrorReason.LOG_PRUNED,
]);

/** What a follower calls. */
export interface FollowOptions<LogRecord> extends WatchOptions {
  watch: (afterId: string, options: CallOptions) => AsyncIterable<WatchedRecords<LogRecord>>;
}

/** Records that came at once; none is a sign of life. */
export interface RecordBatch<LogRecord> {
  /** What they follow in the log; empty while it is not known. */
  after: string;
  records: readonly LogRecord[];
}

/**
 * What is stored from now on, in the order of the log, each record once. When the service is restarted or
 * falls silent it goes on where it was, or where the service said that it began, with signs of life
 * meanwhile. It ends with the signal, and where nothing says how to go on: before the first record of a
 * log, or when where it was is no longer known or was lost.
 *
 * @throws ConnectError when the first message does not come
 */
export async function* followLog<LogRecord>(
  options: FollowOptions<LogRecord>,
): AsyncGenerator<RecordBatch<LogRecord>> {
  const { signal } = options;
  let position = "";
  let waitMs = options.openTimeoutMs;
  let backoffMs = firstBackoffMs;
  let isOpen = false;
  while (!signal.aborted) {
    try {
      const after = position;
      const watch = watched((call) => options.watch(after, call), {
        ...options,
        openTimeoutMs: waitMs,
      });
      for await (const { records, startedAfterId, throughId } of watch) {
        isOpen = true;
        waitMs = defaultSilenceLimitMs;
        backoffMs = firstBackoffMs;
        const before = position === "" ? startedAfterId : position;
        position = throughId === "" ? before : throughId;
        yield { after: before, records };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isOpen || !(error instanceof ConnectError)) throw error;
      if (error.code === Code.NotFound) return;
      if (lostReasons.has(errorInfoOf(error)?.reason ?? ErrorReason.UNSPECIFIED)) return;
    }
    if (position === "") return;
    yield { after: position, records: [] };
    // Spread, so that the gateways of a restarted service do not come back at one moment.
    const delayMs = backoffMs * (0.5 + Math.random() / 2);
    // Rejects only when it is to end, which the loop looks for.
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  }
}
