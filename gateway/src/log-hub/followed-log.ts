import type { CallOptions } from "@connectrpc/connect";
import type { RequestContext } from "../upstream/request-context.ts";
import type { EventBlock } from "./event-ring.ts";

/** A message of a watch: records of the log, in its order; none in a heartbeat. */
export interface WatchedRecords<LogRecord> {
  records: readonly LogRecord[];
  /** What the watch began after, where the message says so; else empty. */
  startedAfterId: string;
  /** Where to continue after the message; empty where it does not say so. */
  throughId: string;
}

/** Records after a position. */
export interface LogPage<LogRecord> {
  records: readonly LogRecord[];
  /** Where to continue; the position itself when nothing follows yet. */
  nextId: string;
}

/** A log of a service as the hub reads it. */
export interface FollowedLog<LogRecord> {
  /** What is stored after a position, or from now on if it is empty. Fails with ConnectErrors. */
  watch(
    ctx: RequestContext,
    afterId: string,
    options: CallOptions,
  ): AsyncIterable<WatchedRecords<LogRecord>>;
  /** Records after a position, of one topic or of all. Fails with the gateway's own errors. */
  page(
    ctx: RequestContext,
    afterId: string,
    topic: string | undefined,
  ): Promise<LogPage<LogRecord>>;
  /** An event for each record, in their order, with what is looked up for all of them at once. */
  blocks(ctx: RequestContext, records: readonly LogRecord[]): Promise<EventBlock[]>;
  /** What a record takes in memory, roughly. */
  readonly sizeBytesOf: (record: LogRecord) => number;
}
