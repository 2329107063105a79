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
import { addMended, feedEntryOf, reasonsOf, retryRefused } from "./outbox-refusals.ts";

/** As which leases, quarantine, metrics and operators know it, beside the feeds. */
export const outboxName = "outbox";

/** Entries that are sent together; after a failure fewer. */
const maxEntries = 5_000;

/** How long a sender that says nothing is taken for alive, in milliseconds. */
const leaseMs = 5_000;
const renewMs = 1_000;

/** Between looks at whether another sender has ended, in milliseconds. */
const lookMs = 500;

const firstRetryMs = 250;
const maxRetryMs = 5_000;

/** Quarantined documents that are described one by one. */
const maxDescribed = 100;

/** What an {@link OutboxSender} works with. */
export interface OutboxOptions {
  readonly database: Database;
  /** One outside of the database. */
  readonly engine: SearchEngine;
  readonly projectionVersion: number;
  /** Told whenever something was sent. */
  readonly onSent: () => void;
  readonly logger: Logger;
  readonly metrics?: FeedMetrics | undefined;
}

/**
 * Sends what waits in the outbox to an engine outside of the database: outside of any transaction, in the order of
 * the writes, and again until it is acknowledged. Each document is sent as it is stored at the time. Of several
 * processes one sends, as one applies a feed; a document that the engine refuses for its own sake is quarantined.
 */
export class OutboxSender implements FeedFollower {
  readonly #options: OutboxOptions;
  readonly #lease: FeedLease;
  readonly #quarantine = new Quarantine("search", outboxName);
  readonly #loop: BackgroundLoop;
  #state: OutboxState = { entries: 0, oldestAt: undefined, sentThrough: 0n };
  /** Whether there may be something that is not in `#state` yet. */
  #isStale = true;
  #failures = 0;
  #limit = maxEntries;
  /** When the last request that was granted the lease was made, as `performance.now()`. */
  #renewedMs = 0;
  /** Sent while another process may have sent newer documents. */
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

  /** There may be something to send. */
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

  /** Does nothing: a reindex rebuilds the index. */
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
      await this.#addOvertaken();
      if (this.#lease.isHeld) await this.#lease.giveBack();
    } catch (err) {
      // It expires.
      this.#options.logger.warn({ err }, "the lease of the outbox cannot be given back");
    }
  }

  async #turn(signal: AbortSignal): Promise<Pause> {
    const { logger } = this.#options;
    try {
      await this.#addOvertaken();
      await this.#look();
      if (this.#state.entries === 0) {
        this.#failures = 0;
        return { ms: idleMs, isIdle: true };
      }
      this.#renewedMs = performance.now();
      if (!(await this.#lease.take())) {
        this.#failures = 0;
        // Makes it, the first time.
        await this.#lease.look();
        return { ms: lookMs, isIdle: true, isDue: true };
      }
      await this.#send(signal);
      this.#failures = 0;
      this.#limit = Math.min(this.#limit * 2, maxEntries);
      this.#options.onSent();
      return { ms: 0, isIdle: false };
    } catch (err) {
      if (signal.aborted || err instanceof LeaseLostError) return { ms: lookMs, isIdle: false };
      // What was too much at one go may not be in smaller pieces.
      this.#limit = Math.max(Math.floor(this.#limit / 4), 1);
      if (this.#failures === 0) logger.warn({ err }, "the index cannot be written now");
      const ms = Math.min(firstRetryMs * 2 ** this.#failures, maxRetryMs);
      this.#failures += 1;
      return { ms, isIdle: false };
    }
  }

  async #look(): Promise<void> {
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
    // After the page: one that is made later lacks nothing of it.
    const generations = await listGenerations(database);
    const stopping = new AbortController();
    const signal = AbortSignal.any([ending, stopping.signal]);
    const renewing = setInterval(() => void this.#renew(stopping), renewMs);
    try {
      const writing = generations.map(async (generation) => {
        try {
          const writes = await outboxWrites(database, generation, page);
          return await engine.write(undefined, generation.number, writes, signal).catch(unlessGone);
        } catch (error) {
          stopping.abort(error);
          throw error;
        }
      });
      // No request may be under way when newer documents are sent.
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

  /** Renews the lease; aborts when it is lost, or would expire before the next look. */
  async #renew(stopping: AbortController): Promise<void> {
    const askedMs = performance.now();
    if (askedMs - this.#renewedMs > leaseMs - 2 * renewMs) {
      stopping.abort(new LeaseLostError(outboxName));
    }
    try {
      await this.#lease.renew();
      this.#renewedMs = askedMs;
    } catch {
      // The database is unavailable: the lease ages.
    }
    if (!this.#lease.isHeld) stopping.abort(new LeaseLostError(outboxName));
  }

  /** Lets the process that took over send these entries after all that this one has sent. */
  async #addOvertaken(): Promise<void> {
    const page = this.#overtaken;
    if (page.length === 0) return;
    await inWritersTurn(this.#options.database, async (tx) => {
      // The removal of a vector may have removed a newer one.
      const changed = page.filter(({ kind }) => kind === "vector").map(({ id }) => id);
      await queueChanged(tx, vectorKinds(await listGenerations(tx)), { changed, removed: [] });
      await addToOutbox(tx, page);
    });
    this.#overtaken = [];
  }

  /** Takes a page out of the outbox, unless another process sends by now. */
  async #acknowledge(
    page: readonly OutboxEntry[],
    refused: readonly RefusedDocument[],
  ): Promise<void> {
    const { database, logger, metrics } = this.#options;
    const reasons = reasonsOf(page, refused);
    await addMended(
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

/** What is gone, or lost, is built again from what is stored. */
function unlessGone(error: unknown): readonly RefusedDocument[] {
  if (error instanceof GenerationMissingError) return [];
  throw error;
}
