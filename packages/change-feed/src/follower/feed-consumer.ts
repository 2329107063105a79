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

/** Messages that may queue during a transaction. */
const maxBurstMessages = 32;

/** Entries of one transaction, and the position after them. */
interface Step {
  readonly step: readonly FeedEntry[];
  readonly through: LogPosition;
}

/** Reads a stream and applies its entries, along with the records of a snapshot. */
export class FeedConsumer {
  readonly #parts: FollowerParts;
  readonly #applier: EntryApplier;
  readonly #resynchroniser: Resynchroniser;
  readonly #snapshot: SnapshotFollower | undefined;
  readonly #completeness: Completeness;
  readonly #acknowledger: Acknowledger;
  readonly #stepSize: StepSize;
  /** Serialises steps of the log and pages of a snapshot. */
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
   * Resolves when the service ends the stream, when a resynchronisation is done or begins, or when stored
   * data is incomplete. Rejects when the stream breaks, applying fails, or the signal aborts.
   */
  async consume(onProgress: () => void, signal: AbortSignal): Promise<void> {
    const { options, cursor, quarantine, lag, snapshots } = this.#parts;
    const { database, rebuild, resynchronise } = options;
    const position = await cursor.read();
    await quarantine.count(database);
    this.#completeness.doubt();
    const begun = await snapshots.find(database);
    if (begun === undefined) await this.#beginIfLacking(position);
    const resynchroniseWith = begun?.reason === "asked" ? rebuild : resynchronise;
    if (begun !== undefined && this.#snapshot === undefined && resynchroniseWith !== undefined) {
      lag.disconnected();
      return await this.#resynchroniser.run(resynchroniseWith, begun.reason, position);
    }
    try {
      await this.#follow(position, onProgress, signal);
    } catch (error) {
      const loss = feedLossOf(error);
      if (loss === undefined) throw error;
      const stored = await cursor.read();
      // The loss was reported for a later position and may not apply to this one.
      if (stored.sequence !== position.sequence) throw error;
      if (this.#snapshot !== undefined) return await this.#snapshot.begin(loss, stored);
      if (resynchronise === undefined) throw error;
      lag.disconnected();
      await this.#resynchroniser.run(resynchronise, loss, stored);
    }
  }

  /** Begins or resumes the snapshot that an operator requested, and follows the log until it is complete. */
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

  /** Begins a snapshot when an earlier release left data out. */
  async #beginIfLacking(position: LogPosition): Promise<void> {
    const { options, signal } = this.#parts;
    if (this.#snapshot === undefined || !(await this.#completeness.isLacking())) return;
    try {
      await this.#snapshot.begin("incomplete", position);
    } catch (err) {
      if (signal.aborted || err instanceof LeaseLostError) throw err;
      // Release 0.2.0 serves no pages as an owner, and still applies entries as another process of this service.
      const message = "what an earlier release left out cannot be had now";
      options.logger.warn({ err, feed: options.feed }, message);
    } finally {
      this.#completeness.triedToComplete();
    }
  }

  /** Follows the log and concurrently takes a begun snapshot. A rebuild ends with the snapshot. */
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

  /** Cuts entries into steps lazily, since the step size changes. */
  *#stepsOf(entries: readonly FeedEntry[], end: LogPosition): Generator<Step> {
    let rest = entries;
    do {
      const step = rest.slice(0, this.#stepSize.entries);
      rest = rest.slice(step.length);
      const last = step.at(-1);
      yield { step, through: last === undefined || rest.length === 0 ? end : positionOf(last) };
    } while (rest.length > 0);
  }
}

/** The position up to which these messages are complete. */
function endOf(burst: readonly WatchChangesResponse[]): LogPosition | undefined {
  const last = burst.at(-1);
  // A heartbeat: nothing up to its sequence is missing, of any kind.
  if (last?.entries.length === 0) {
    return { sequence: last.newestSequence, identity: last.newestIdentity };
  }
  const entry = last?.entries.at(-1);
  return entry && positionOf(entry);
}

function positionOf({ sequence, identity }: FeedEntry): LogPosition {
  return { sequence, identity };
}

/** Limits a transaction. A message has up to 1 MiB, or one larger entry. */
function isFull(burst: readonly WatchChangesResponse[]): boolean {
  const entryCount = burst.reduce((count, { entries }) => count + entries.length, 0);
  return entryCount >= maxStepEntries || burst.length >= maxBurstMessages;
}
