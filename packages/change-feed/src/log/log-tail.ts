import { outsideCalls } from "@storefront/process";
import type { Polling } from "@storefront/database";
import { checkPosition } from "./log-source.ts";
import type { LogBatch, LogFilter, LogPosition, LogSource } from "./log-source.ts";

/** Wakes those that wait for commits of this process; commits of other processes are found by polling. */
export class CommitSignal {
  #version = 0;
  readonly #wakers = new Set<() => void>();

  /** Grows with every notice; read it before the log, so that no commit in between is missed. */
  get version(): number {
    return this.#version;
  }

  /** Something was committed. */
  notify(): void {
    this.#version++;
    for (const wake of this.#wakers) wake();
  }

  /** Resolves at the first notice after `version`, after `timeoutMs`, or when `signal` aborts. */
  async changedSince(version: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#version !== version || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.#wakers.add(resolve);
    const onAbort = () => resolve();
    signal.addEventListener("abort", onAbort);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#wakers.delete(resolve);
      signal.removeEventListener("abort", onAbort);
    }
  }
}

export interface LogTailOptions {
  readonly source: Pick<LogSource, "read" | "newest">;
  readonly polling: Polling;
  /** Told of commits of this process; default none, so that all are found by polling. */
  readonly commits?: CommitSignal | undefined;
  /** How often commits of other processes are polled for while somebody watches; default 200 ms. */
  readonly pollIntervalMs?: number | undefined;
  /** Longest silence of a watcher's stream; default 3 s. */
  readonly heartbeatMs?: number | undefined;
}

/** Where a watcher starts and what it wants. */
interface WatchOptions {
  /** Give what comes after this. Without an identity, what stands there is taken as it is. */
  readonly after: LogPosition;
  /** Only these; undefined means all. */
  readonly filter?: LogFilter | undefined;
  /** Longest silence of this stream, if it is shorter than that of the others. */
  readonly heartbeatMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** A poll that takes longer, in milliseconds, does not know the end of the log any more. */
const latePollMs = 400;

/** The end of a log, for any number of watchers with one poll between them. */
export class LogTail {
  readonly #source: LogTailOptions["source"];
  readonly #polling: Polling;
  readonly #commits: CommitSignal;
  readonly #pollIntervalMs: number;
  readonly #heartbeatMs: number;
  readonly #closing = new AbortController();
  #watchers = 0;
  #isPolling = false;
  /** When the poll under way began, in milliseconds of this process. */
  #pollBeganAtMs: number | undefined;

  constructor(options: LogTailOptions) {
    const { source, polling, commits, pollIntervalMs = 200, heartbeatMs = 3_000 } = options;
    this.#source = source;
    this.#polling = polling;
    this.#commits = commits ?? new CommitSignal();
    this.#pollIntervalMs = pollIntervalMs;
    this.#heartbeatMs = heartbeatMs;
  }

  get watcherCount(): number {
    return this.#watchers;
  }

  /** Ends every watch, now and later: the server drains, and watches never end by themselves. */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Everything after a sequence, then what is committed. A batch without entries is a heartbeat: it
   * comes at once when nothing is missing, or no more of what is asked for, then after every silence of
   * `heartbeatMs` while the log can be read, and says that nothing up to its `newest` is missing. That is before the end of the
   * log while many other entries are passed over, so that a watcher that is cut off meanwhile need
   * not start over. Ends with the signal or the tail; fails as the source fails, and with LOG_DIVERGED
   * when the log has lost a part of its history, also while it is watched.
   */
  async *watch({
    after,
    filter,
    heartbeatMs = this.#heartbeatMs,
    signal,
  }: WatchOptions): AsyncGenerator<LogBatch> {
    const silenceMs = Math.min(heartbeatMs, this.#heartbeatMs);
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const startedAtMs = performance.now();
    let sentAtMs: number | undefined;
    let end: { readonly version: number; readonly batch: LogBatch } | undefined;
    this.#watchers++;
    void outsideCalls(() => this.#poll());
    try {
      while (!stop.aborted) {
        const { version } = this.#commits;
        // The end of the log is where it was until a commit is told of: heartbeats do not read it.
        const batch =
          end?.version === version ? end.batch : await this.#source.read(after.sequence, filter);
        checkPosition(after, batch);
        after = batch.through;
        const isCaughtUp = after.sequence >= batch.newest.sequence;
        const isFirst = isCaughtUp && sentAtMs === undefined;
        // Nobody knows the end of a log that cannot be read now.
        const isKnown = end?.version !== version || !this.#isPollLate();
        const isSilent = isKnown && performance.now() - (sentAtMs ?? startedAtMs) >= silenceMs;
        if (batch.entries.length > 0 || isFirst || isSilent) {
          yield batch.entries.length > 0 ? batch : { ...batch, newest: batch.through };
          sentAtMs = performance.now();
        }
        if (!isCaughtUp) continue;
        end = { version, batch: { ...batch, entries: [], at: after, through: after } };
        // What stands behind the last of them was not asked for: the watcher is at the end of the log.
        if (filter !== undefined && batch.entries.length > 0) yield { ...end.batch, newest: after };
        const silenceEndsAtMs = (sentAtMs ?? startedAtMs) + silenceMs;
        const leftMs = Math.max(isKnown ? 0 : latePollMs, silenceEndsAtMs - performance.now());
        await this.#commits.changedSince(version, leftMs, stop);
      }
    } finally {
      this.#watchers--;
    }
  }

  #isPollLate(): boolean {
    const beganAtMs = this.#pollBeganAtMs;
    return beganAtMs !== undefined && performance.now() - beganAtMs > latePollMs;
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    let known: LogPosition | undefined;
    while (this.#watchers > 0 && !this.#closing.signal.aborted) {
      // A log that cannot be read wakes the watchers too, so that they fail with the reason.
      this.#pollBeganAtMs = performance.now();
      const newest = await this.#polling
        .runInBackground(() => this.#source.newest())
        .catch(() => undefined)
        .finally(() => (this.#pollBeganAtMs = undefined));
      const isKnown = newest?.sequence === known?.sequence && newest?.identity === known?.identity;
      if (newest === undefined || !isKnown) this.#commits.notify();
      known = newest;
      await this.#polling.untilNextPoll(this.#pollIntervalMs, this.#closing.signal);
    }
    this.#isPolling = false;
  }
}
