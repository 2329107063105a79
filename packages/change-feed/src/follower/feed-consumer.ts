import type { FeedEntry, WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";
import { Acknowledger, watchEnd, watchFeed } from "./feed-calls.ts";
import { Completeness, SnapshotFollower } from "./snapshot-follower.ts";
import { EntryApplier } from "./entry-applier.ts";
import { LeaseLostError } from "./feed-lease.ts";
import { inBursts } from "./in-bursts.ts";
import { beginningOfLog } from "../log/log-source.ts";
import type { LogPosition } from "../log/log-source.ts";
import { feedLossOf, Resynchroniser } from "./resynchroniser.ts";
import { SerialWork, maxStepEntries, StepSize, asFollower } from "./pace.ts";
import type { FollowerParts } from "./follow-options.ts";

/** Messages that may wait for the transaction under way. */
const maxBurstMessages = 32;

/** Entries that are applied in one transaction, and the place that they end at. */
interface Step {
  readonly step: readonly FeedEntry[];
  readonly through: LogPosition;
}

/** Reads one stream after the other and applies what comes, and the records of a snapshot beside it. */
export class FeedConsumer {
  readonly #parts: FollowerParts;
  readonly #applier: EntryApplier;
  readonly #resynchroniser: Resynchroniser;
  readonly #snapshot: SnapshotFollower | undefined;
  readonly #completeness: Completeness;
  readonly #acknowledger: Acknowledger;
  readonly #stepSize: StepSize;
  /** Steps of the log and pages of a snapshot. */
  readonly #steps = new SerialWork();
  #position = beginningOfLog;
  #isTakingSnapshot = false;
  #isRebuild = false;

  constructor(parts: FollowerParts) {
    const { database, snapshot } = parts.options;
    this.#parts = parts;
    this.#completeness = new Completeness(parts.options);
    this.#applier = new EntryApplier(parts, this.#completeness);
    this.#resynchroniser = new Resynchroniser(parts);
    this.#snapshot = snapshot && new SnapshotFollower(parts, snapshot);
    this.#acknowledger = new Acknowledger(parts);
    this.#stepSize = new StepSize(database.driver === "pglite");
  }

  get isResynchronising(): boolean {
    return this.#resynchroniser.isRunning || this.#isTakingSnapshot;
  }

  /**
   * Resolves when the service ends the stream, when a log that can be followed no more is agreed with again, or when
   * what is held lacks something; rejects when the stream breaks, applying fails, or the signal says so.
   */
  async consume(onProgress: () => void, signal: AbortSignal): Promise<void> {
    const { options, cursor, quarantine, lag, snapshots } = this.#parts;
    const { database, rebuild, resynchronise } = options;
    const position = await cursor.read();
    await quarantine.count(database);
    this.#completeness.doubt();
    const begun = await snapshots.find(database);
    if (begun === undefined) await this.#beginIfLacking(position);
    const broken = begun?.reason === "asked" ? rebuild : resynchronise;
    if (begun !== undefined && this.#snapshot === undefined && broken !== undefined) {
      lag.disconnected();
      return await this.#resynchroniser.run(broken, begun.reason, position);
    }
    try {
      await this.#follow(position, onProgress, signal);
    } catch (error) {
      const loss = feedLossOf(error);
      if (loss === undefined) throw error;
      const stored = await cursor.read();
      // What was said of a later position may not hold for this one: ask first.
      if (stored.sequence !== position.sequence) throw error;
      if (this.#snapshot !== undefined) return await this.#snapshot.begin(loss, stored);
      if (resynchronise === undefined) throw error;
      lag.disconnected();
      await this.#resynchroniser.run(resynchronise, loss, stored);
    }
  }

  /** Takes the snapshot that an operator has asked for, or goes on with it, and follows the log until it is taken. */
  async rebuild(): Promise<void> {
    const { cursor, signal } = this.#parts;
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return;
    if ((await snapshot.find())?.reason !== "asked") {
      await snapshot.begin("asked", await cursor.read());
    }
    this.#isRebuild = true;
    while ((await snapshot.find()) !== undefined) {
      signal.throwIfAborted();
      await this.consume(() => undefined, signal);
    }
  }

  /** Begins to bring in what an earlier release has left out. */
  async #beginIfLacking(position: LogPosition): Promise<void> {
    const { options, signal } = this.#parts;
    if (this.#snapshot === undefined || !(await this.#completeness.isLacking())) return;
    try {
      await this.#snapshot.begin("incomplete", position);
    } catch (err) {
      if (signal.aborted || err instanceof LeaseLostError) throw err;
      // For release 0.2.0: as a service it gives no pages, as another process of this one it still applies entries.
      const message = "what an earlier release left out cannot be had now";
      options.logger.warn({ err, feed: options.feed }, message);
    } finally {
      this.#completeness.triedToComplete();
    }
  }

  /** Follows the log, and takes the snapshot that is under way beside it; a rebuild ends with that. */
  async #follow(start: LogPosition, onProgress: () => void, turn: AbortSignal): Promise<void> {
    const done = new AbortController();
    const signal = AbortSignal.any([this.#parts.signal, turn, done.signal]);
    this.#position = start;
    let failure: { readonly error: unknown } | undefined;
    const take = async () => {
      try {
        await this.#takeSnapshot(signal);
        if (this.#isRebuild) done.abort();
      } catch (error) {
        failure = { error };
        done.abort();
      }
    };
    const taking = take();
    try {
      await this.#followLog(onProgress, turn, done.signal);
    } catch (error) {
      if (!done.signal.aborted) throw error;
    } finally {
      done.abort();
      await taking;
    }
    if (failure !== undefined) throw failure.error;
  }

  async #takeSnapshot(signal: AbortSignal): Promise<void> {
    const snapshot = this.#snapshot;
    if (snapshot === undefined || (await snapshot.find()) === undefined) return;
    this.#isTakingSnapshot = true;
    try {
      await snapshot.run(
        {
          position: () => this.#position,
          inTurn: (work) => this.#steps.run(work),
        },
        signal,
      );
    } finally {
      this.#isTakingSnapshot = false;
    }
  }

  async #followLog(onProgress: () => void, turn: AbortSignal, ended: AbortSignal): Promise<void> {
    const { lag, signal } = this.#parts;
    const { sequence: afterSequence, identity: afterIdentity } = this.#position;
    const messages = watchFeed(
      this.#parts,
      { afterSequence, afterIdentity },
      AbortSignal.any([signal, turn, ended]),
    );
    void watchEnd(this.#parts, ended);
    for await (const burst of inBursts(messages, isFull)) {
      const entries = burst.flatMap((message) => message.entries);
      lag.received(entries, burst.at(-1)?.newestSequence ?? this.#position.sequence);
      for (const { step, through } of this.#stepsOf(entries, endOf(burst) ?? this.#position)) {
        await this.#apply(step, through);
        onProgress();
        turn.throwIfAborted();
        if (signal.aborted || ended.aborted) return;
      }
      if (!this.#isTakingSnapshot && (await this.#completeness.isLacking())) return;
    }
  }

  async #apply(step: readonly FeedEntry[], through: LogPosition): Promise<void> {
    const { lag } = this.#parts;
    const { busyMs } = await asFollower(lag.secondsBehind(), () =>
      this.#steps.run(async () => {
        const applied = await this.#applier.apply(step, through, this.#position);
        this.#position = applied.result;
        this.#snapshot?.noteApplied(step);
        return applied;
      }),
    ).catch((error: unknown) => {
      this.#stepSize.failed();
      throw error;
    });
    this.#stepSize.took(step.length, busyMs);
    lag.applied(this.#position.sequence, step);
    this.#acknowledger.note(this.#position.sequence);
  }

  /** Entries in the order of the log, cut into steps as they are taken. */
  *#stepsOf(entries: readonly FeedEntry[], end: LogPosition): Generator<Step> {
    let rest = entries;
    do {
      const step = rest.slice(0, this.#stepSize.entries);
      rest = rest.slice(step.length);
      const last = step.at(-1);
      yield { step, through: last === undefined || rest.length === 0 ? end : placeOf(last) };
    } while (rest.length > 0);
  }
}

/** The place up to which nothing is missing after these messages. */
function endOf(burst: readonly WatchChangesResponse[]): LogPosition | undefined {
  const last = burst.at(-1);
  // A heartbeat says that nothing up to its sequence is missing, of whatever kind.
  if (last?.entries.length === 0) {
    return { sequence: last.newestSequence, identity: last.newestIdentity };
  }
  const entry = last?.entries.at(-1);
  return entry && placeOf(entry);
}

function placeOf({ sequence, identity }: FeedEntry): LogPosition {
  return { sequence, identity };
}

/** Enough for one transaction: a message has up to a mebibyte, or one entry that is larger. */
function isFull(burst: readonly WatchChangesResponse[]): boolean {
  const entryCount = burst.reduce((count, { entries }) => count + entries.length, 0);
  return entryCount >= maxStepEntries || burst.length >= maxBurstMessages;
}
