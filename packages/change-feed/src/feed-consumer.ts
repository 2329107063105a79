import type { FeedEntry, WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";
import { Acknowledger } from "./acknowledger.ts";
import { Completeness } from "./completeness.ts";
import { EntryApplier } from "./entry-applier.ts";
import { LeaseLostError } from "./feed-lease.ts";
import type { FollowerParts } from "./follower-parts.ts";
import { inBursts } from "./in-bursts.ts";
import type { LogPosition } from "./log-position.ts";
import { maxBatchEntries } from "./log-source.ts";
import { feedLossOf } from "./resynchronise.ts";
import { Resynchroniser } from "./resynchroniser.ts";
import { StepSize } from "./step-size.ts";
import { watchFeed } from "./watch-feed.ts";
import { asFollower, isImporting } from "./writers-first.ts";

/** Messages that may wait for the transaction under way. */
const maxBurstMessages = 32;

/** Entries that are applied in one transaction, and the place that they end at. */
interface Step {
  readonly step: readonly FeedEntry[];
  readonly through: LogPosition;
}

/** Reads one stream after the other and applies what comes. */
export class FeedConsumer {
  readonly #parts: FollowerParts;
  readonly #applier: EntryApplier;
  readonly #resynchroniser: Resynchroniser;
  readonly #completeness: Completeness;
  readonly #acknowledger: Acknowledger;
  readonly #stepSize: StepSize;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#completeness = new Completeness(parts.options);
    this.#applier = new EntryApplier(parts, this.#completeness);
    this.#resynchroniser = new Resynchroniser(parts);
    this.#acknowledger = new Acknowledger(parts);
    this.#stepSize = new StepSize(parts.options.database.driver === "pglite");
  }

  get isResynchronising(): boolean {
    return this.#resynchroniser.isRunning;
  }

  /**
   * Resolves when the service ends the stream, when a log that can be followed no more is agreed with again, or when
   * what is held lacks something; rejects when the stream breaks, applying fails, or the signal says so.
   */
  async consume(onProgress: () => void, signal: AbortSignal): Promise<void> {
    const { options, cursor, quarantine, lag } = this.#parts;
    const { resynchronise } = options;
    const position = await cursor.read();
    await quarantine.count(options.database);
    this.#completeness.doubt();
    if (await this.#complete(position)) return;
    try {
      await this.#follow(position, onProgress, signal);
    } catch (error) {
      const loss = feedLossOf(error);
      if (loss === undefined || resynchronise === undefined) throw error;
      lag.disconnected();
      const stored = await cursor.read();
      // What was said of a place further on may not hold for this one: ask first.
      if (stored.sequence !== position.sequence) throw error;
      await this.#resynchroniser.run(resynchronise, loss, stored);
    }
  }

  /** Brings in what an earlier release has left out; gives whether it has done so. */
  async #complete(position: LogPosition): Promise<boolean> {
    const { options, lag, signal } = this.#parts;
    const { resynchronise, logger, feed } = options;
    if (resynchronise === undefined || !(await this.#completeness.isLacking())) return false;
    lag.disconnected();
    try {
      await this.#resynchroniser.run(resynchronise, "incomplete", position);
      return true;
    } catch (error) {
      if (signal.aborted || error instanceof LeaseLostError) throw error;
      // As when its service is older, or a process of an earlier release still applies entries.
      logger.warn({ err: error, feed }, "what an earlier release left out cannot be had now");
      return false;
    } finally {
      this.#completeness.triedToComplete();
    }
  }

  async #follow(start: LogPosition, onProgress: () => void, turn: AbortSignal): Promise<void> {
    const { lag, signal } = this.#parts;
    let position = start;
    const done = new AbortController();
    const messages = watchFeed(
      this.#parts,
      { afterSequence: position.sequence, afterIdentity: position.identity },
      AbortSignal.any([signal, turn, done.signal]),
    );
    try {
      for await (const burst of inBursts(messages, isFull)) {
        const entries = burst.flatMap((message) => message.entries);
        lag.received(entries, burst.at(-1)?.newestSequence ?? position.sequence);
        for (const { step, through } of this.#stepsOf(entries, endOf(burst) ?? position)) {
          position = await asFollower(lag.secondsBehind(), () =>
            this.#applyStep(step, through, position),
          );
          lag.applied(position.sequence, step);
          this.#acknowledger.note(position.sequence);
          onProgress();
          turn.throwIfAborted();
          if (signal.aborted) return;
        }
        if (await this.#completeness.isLacking()) return;
      }
    } finally {
      done.abort();
    }
  }

  async #applyStep(
    step: readonly FeedEntry[],
    through: LogPosition,
    position: LogPosition,
  ): Promise<LogPosition> {
    const startedAtMs = performance.now();
    const reached = await this.#applier.apply(step, through, position);
    this.#stepSize.took(step.length, performance.now() - startedAtMs);
    return reached;
  }

  /** Entries in the order of the log, cut into steps as they are taken. */
  *#stepsOf(entries: readonly FeedEntry[], end: LogPosition): Generator<Step> {
    let rest = entries;
    do {
      const step = rest.slice(0, this.#stepSize.entries(isImporting()));
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
  return entryCount >= maxBatchEntries || burst.length >= maxBurstMessages;
}
