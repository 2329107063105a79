import { FeedLease, LeaseLostError, maxQuarantined, Quarantine } from "@storefront/change-feed";
import type { FeedFollower, FeedMetrics, RetryOutcome } from "@storefront/change-feed";
import type { Database } from "@storefront/database";
import type { Logger } from "@storefront/process";
import { GenerationMissingError } from "../engine/search-engine.ts";
import type { RefusedDocument, SearchEngine } from "../engine/search-engine.ts";
import { queueChanged } from "../store/embedding-queue.ts";
import { listGenerations, vectorKinds } from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { addToOutbox, outboxState, readOutbox, removeSent } from "../store/outbox-store.ts";
import type { OutboxEntry, OutboxState } from "../store/outbox-store.ts";
import { BackgroundLoop, idleMs } from "./background-loop.ts";
import type { Pause } from "./background-loop.ts";
import { outboxWrites, pageOf } from "./outbox-documents.ts";
import { requeueMended, feedEntryOf, reasonsOf, retryRefused } from "./outbox-refusals.ts";

/** Its name in leases, quarantine, metrics and for operators, beside the feeds. */
export const outboxName = "outbox";

/** Entries per page; fewer after a failure. */
const maxEntries = 5_000;

/** Lease duration in milliseconds. */
const leaseMs = 5_000;
const renewMs = 1_000;

/** Interval of checks whether another sender has ended, in milliseconds. */
const checkMs = 500;

const firstRetryMs = 250;
const maxRetryMs = 5_000;

/** Limit of listed quarantined documents. */
const maxDescribed = 100;

interface OutboxOptions {
  readonly database: Database;
  /** An external engine. */
  readonly engine: SearchEngine;
  readonly projectionVersion: number;
  /** Called after each page. */
  readonly onSent: () => void;
  readonly logger: Logger;
  readonly metrics?: FeedMetrics | undefined;
}

/**
 * Sends the outbox to an external engine: outside transactions, in the order of the writes, and repeatedly until
 * acknowledged. Documents are sent as stored at the time. One process sends, by a lease as for a feed. A document that
 * the engine refuses for its content is quarantined.
 */
export class OutboxSender implements FeedFollower {
  readonly #options: OutboxOptions;
  readonly #lease: FeedLease;
  readonly #quarantine = new Quarantine("search", outboxName);
  readonly #loop: BackgroundLoop;
  #state: OutboxState = { entries: 0, oldestAt: undefined, sentThrough: 0n };
  /** Whether `#state` may be outdated. */
  #isStale = true;
  #failures = 0;
  #limit = maxEntries;
  /** Time of the last successful lease request, as `performance.now()`. */
  #renewedMs = 0;
  /** Entries sent while another process may have sent newer documents. */
  #overtaken: readonly OutboxEntry[] = [];

  constructor(options: OutboxOptions) {
    const { database, projectionVersion, metrics } = options;
    this.#options = options;
    this.#lease = new FeedLease({
      database,
      schema: "search",
      feed: outboxName,
      projectionVersion,
      leaseMs,
    });
    this.#loop = new BackgroundLoop(database.polling, (signal) => this.#turn(signal));
    metrics?.add(outboxName, () => ({
      isConnected: this.#failures === 0,
      position: Number(this.#state.sentThrough),
      lagEntries: this.#state.entries,
      lagSeconds: this.#lagSeconds(),
      isLeading: this.#lease.isHeld,
      quarantined: this.#quarantine.size,
    }));
  }

  start(): void {
    this.#loop.start();
  }

  /** There may be entries to send. */
  wake(): void {
    this.#isStale = true;
    this.#loop.wake();
  }

  /** Rejects while the engine cannot be written. */
  async probe() {
    if (this.#failures > 0) throw new Error("the search engine cannot be written");
    const { entries } = this.#state;
    return {
      lagEntries: BigInt(this.#isStale ? Math.max(entries, 1) : entries),
      lagSeconds: this.#lagSeconds(),
      quarantinedEntries: BigInt(this.#quarantine.size),
      isOutdated: false,
    };
  }

  async describe() {
    const { database, projectionVersion } = this.#options;
    const lease = await this.#lease.look();
    const { sentThrough } = await outboxState(database);
    await this.#quarantine.count(database);
    return {
      ...lease,
      cursor: sentThrough,
      ownVersion: projectionVersion,
      quarantinedEntries: this.#quarantine.size,
      quarantined: await this.#quarantine.list(database, maxDescribed),
    };
  }

  /** No-op: a reindex rebuilds the index. */
  async rebuild(): Promise<void> {}

  /** See {@link retryRefused}. */
  async retryQuarantined(): Promise<RetryOutcome> {
    const { database, engine } = this.#options;
    return await retryRefused({
      database,
      quarantine: this.#quarantine,
      name: engine.name,
      onAdded: () => this.wake(),
    });
  }

  async close(): Promise<void> {
    await this.#loop.close();
    try {
      await this.#requeueOvertaken();
      if (this.#lease.isHeld) await this.#lease.giveBack();
    } catch (err) {
      // It expires.
      this.#options.logger.warn({ err }, "the lease of the outbox cannot be given back");
    }
  }

  async #turn(signal: AbortSignal): Promise<Pause> {
    const { logger } = this.#options;
    try {
      await this.#requeueOvertaken();
      await this.#readState();
      if (this.#state.entries === 0) {
        this.#failures = 0;
        return { ms: idleMs, isIdle: true };
      }
      this.#renewedMs = performance.now();
      if (!(await this.#lease.take())) {
        this.#failures = 0;
        // Creates the row, the first time.
        await this.#lease.look();
        return { ms: checkMs, isIdle: true, isDue: true };
      }
      await this.#send(signal);
      this.#failures = 0;
      this.#limit = Math.min(this.#limit * 2, maxEntries);
      this.#options.onSent();
      return { ms: 0, isIdle: false };
    } catch (err) {
      if (signal.aborted || err instanceof LeaseLostError) return { ms: checkMs, isIdle: false };
      // A smaller page may succeed.
      this.#limit = Math.max(Math.floor(this.#limit / 4), 1);
      if (this.#failures === 0) logger.warn({ err }, "the index cannot be written now");
      const ms = Math.min(firstRetryMs * 2 ** this.#failures, maxRetryMs);
      this.#failures += 1;
      return { ms, isIdle: false };
    }
  }

  async #readState(): Promise<void> {
    const { database } = this.#options;
    this.#isStale = false;
    try {
      this.#state = await outboxState(database);
      await this.#quarantine.count(database);
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  async #send(ending: AbortSignal): Promise<void> {
    const { database, engine } = this.#options;
    const page = pageOf(await readOutbox(database, this.#limit));
    // After the page: a later generation already includes it.
    const generations = await listGenerations(database);
    const stopping = new AbortController();
    const signal = AbortSignal.any([ending, stopping.signal]);
    const renewing = setInterval(() => void this.#renew(stopping), renewMs);
    try {
      const writing = generations.map(async (generation) => {
        try {
          const writes = await outboxWrites(database, generation, page);
          return await engine
            .write(undefined, generation.number, writes, signal)
            .catch(unlessMissing);
        } catch (error) {
          stopping.abort(error);
          throw error;
        }
      });
      // No request may be in progress when newer documents are sent.
      await Promise.allSettled(writing);
      stopping.signal.throwIfAborted();
      await this.#acknowledge(page, (await Promise.all(writing)).flat());
    } catch (error) {
      if (error instanceof LeaseLostError) this.#overtaken = page;
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Renews the lease; aborts when it is lost, or would expire before the next renewal. */
  async #renew(stopping: AbortController): Promise<void> {
    const requestedMs = performance.now();
    if (requestedMs - this.#renewedMs > leaseMs - 2 * renewMs) {
      stopping.abort(new LeaseLostError(outboxName));
    }
    try {
      await this.#lease.renew();
      this.#renewedMs = requestedMs;
    } catch {
      // The database is unavailable: the lease ages.
    }
    if (!this.#lease.isHeld) stopping.abort(new LeaseLostError(outboxName));
  }

  /** Requeues these entries, so that the process that took over sends them after this one's last request. */
  async #requeueOvertaken(): Promise<void> {
    const page = this.#overtaken;
    if (page.length === 0) return;
    await inWritersTurn(this.#options.database, async (tx) => {
      // A vector's removal may have removed a newer one.
      const changed = page.filter(({ kind }) => kind === "vector").map(({ id }) => id);
      await queueChanged(tx, vectorKinds(await listGenerations(tx)), { changed, removed: [] });
      await addToOutbox(tx, page);
    });
    this.#overtaken = [];
  }

  /** Removes a page from the outbox, unless another process sends now. */
  async #acknowledge(
    page: readonly OutboxEntry[],
    refused: readonly RefusedDocument[],
  ): Promise<void> {
    const { database, logger, metrics } = this.#options;
    const reasons = reasonsOf(page, refused);
    await requeueMended(
      database,
      this.#quarantine,
      page.filter((entry) => !reasons.has(entry)),
    );
    if (this.#quarantine.size + reasons.size > maxQuarantined) {
      throw new Error(`the engine refuses more than ${maxQuarantined} documents`);
    }
    await database.transaction(async (tx) => {
      await this.#lease.confirm(tx);
      await removeSent(tx, page);
      await this.#quarantine.forget(tx, page.map(feedEntryOf));
      for (const [entry, reason] of reasons) {
        await this.#quarantine.add(tx, feedEntryOf(entry), new Error(reason));
      }
    });
    metrics?.countApplied(outboxName, page.length);
    for (const [{ kind, id, region }, reason] of reasons) {
      logger.error({ kind, id, region, reason }, "a document is quarantined");
    }
  }

  #lagSeconds(): number {
    const { oldestAt } = this.#state;
    return oldestAt === undefined ? 0 : Math.max(0, Date.now() - oldestAt.getTime()) / 1_000;
  }
}

/** A deleted or lost generation is rebuilt from the sources. */
function unlessMissing(error: unknown): readonly RefusedDocument[] {
  if (error instanceof GenerationMissingError) return [];
  throw error;
}
