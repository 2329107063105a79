import { outsideCalls } from "@storefront/process";
import type { Polling } from "@storefront/database";
import { checkPosition } from "./log-source.ts";
import type { LogBatch, LogFilter, LogPosition, LogSource } from "./log-source.ts";

/** Notifies of commits of this process; those of other processes are found by polling. */
export class CommitSignal {
  #version = 0;
  readonly #wakers = new Set<() => void>();

  /** Grows with every commit. Read it before the log, so that no commit in between is missed. */
  get version(): number {
    return this.#version;
  }

  notify(): void {
    this.#version++;
    for (const wake of this.#wakers) wake();
  }

  /** Resolves at the first commit after `version`, after `timeoutMs`, or when `signal` aborts. */
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
  /** Commits of this process; default: found by polling. */
  readonly commits?: CommitSignal | undefined;
  /** Interval of polls for commits of other processes while there are watchers; default 200 ms. */
  readonly pollIntervalMs?: number | undefined;
  /** Longest silence of a watcher's stream; default 3 s. */
  readonly heartbeatMs?: number | undefined;
}

interface WatchOptions {
  /** Entries after this position. Without an identity, the entry there is not checked. */
  readonly after: LogPosition;
  /** Undefined means all. */
  readonly filter?: LogFilter | undefined;
  /** Longest silence of this stream, if shorter than `LogTailOptions.heartbeatMs`. */
  readonly heartbeatMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** After a longer poll, in milliseconds, the end of the log counts as unknown. */
const latePollMs = 400;

/** Tails a log for any number of watchers with one poll. */
export class LogTail {
  readonly #source: LogTailOptions["source"];
  readonly #polling: Polling;
  readonly #commits: CommitSignal;
  readonly #pollIntervalMs: number;
  readonly #heartbeatMs: number;
  readonly #closing = new AbortController();
  #watchers = 0;
  #isPolling = false;
  /** Start of the current poll, by `performance.now()`. */
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

  /** Ends all present and later watches, when the server drains. */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Yields everything after a sequence, then new commits. A batch without entries is a heartbeat: sent at
   * once when no more entries match, then after each silence of `heartbeatMs` while the log is readable.
   * Nothing up to its `newest` is missing, which may be before the end of the log while many entries do not
   * match, so that an interrupted watcher need not start again. Ends with the signal or the tail; fails as
   * the source fails, and with LOG_DIVERGED when the log loses part of its history, also during a watch.
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
        // The end of the log is unchanged until the next notice, so heartbeats do not read it.
        const batch =
          end?.version === version ? end.batch : await this.#source.read(after.sequence, filter);
        checkPosition(after, batch);
        after = batch.through;
        const isCaughtUp = after.sequence >= batch.newest.sequence;
        const isFirst = isCaughtUp && sentAtMs === undefined;
        // While the log is unreadable its end is unknown, and no heartbeat is sent.
        const isKnown = end?.version !== version || !this.#isPollLate();
        const isSilent = isKnown && performance.now() - (sentAtMs ?? startedAtMs) >= silenceMs;
        if (batch.entries.length > 0 || isFirst || isSilent) {
          yield batch.entries.length > 0 ? batch : { ...batch, newest: batch.through };
          sentAtMs = performance.now();
        }
        if (!isCaughtUp) continue;
        end = { version, batch: { ...batch, entries: [], at: after, through: after } };
        // Later entries do not match: the watcher is at the end of the log.
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
      // A failed poll also wakes the watchers, whose reads then fail with the reason.
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
