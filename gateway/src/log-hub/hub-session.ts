import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { Backoff, errorInfoOf, followStream } from "@storefront/rpc";
import { runForSpan } from "@storefront/process";
import { callOptionsOf } from "../upstream/call-upstream.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { SingleFlight } from "../upstream/single-flight.ts";
import { EventRing } from "./event-ring.ts";
import type { EventStretch } from "./event-ring.ts";
import type { FollowedLog } from "./followed-log.ts";
import { gatherRecords } from "./gather-records.ts";

export interface HubSessionOptions {
  /** For work of all followers, which ends with the signal. */
  createContext: (signal: AbortSignal) => RequestContext;
  /** Longest wait for the first message, in milliseconds. */
  openTimeoutMs: number;
  /** Bytes of events that are stored for followers that return, or are slow. */
  ringBytes: number;
}

/** Shortest time between two writes to a follower: a fifth of what changes may take to arrive. */
const pauseMs = 200;

const firstBackoffMs = 100;
const maxBackoffMs = 5000;

/** Why a log cannot be followed further: the position is no longer part of it, or what follows is pruned. */
const lostReasons: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.ENTRY_UNDONE,
  ErrorReason.LOG_DIVERGED,
  ErrorReason.LOG_PRUNED,
]);

/** A session as its followers see it, whatever the records of its log are. */
export type FollowedSession = Pick<
  HubSession<unknown>,
  "opened" | "version" | "isOver" | "failure" | "onChange" | "page"
>;

/**
 * One watch of a log, with what is stored from its beginning on: records, enriched once, in a ring for all followers. It is
 * over when a delivered record was undone, or when it cannot continue; then its followers return to another one.
 */
export class HubSession<LogRecord> {
  readonly #log: FollowedLog<LogRecord>;
  readonly #options: HubSessionOptions;
  readonly #ending = new AbortController();
  readonly #opening = Promise.withResolvers<EventRing>();
  readonly #pages = new SingleFlight<EventStretch>(Number.POSITIVE_INFINITY);
  #ring: EventRing | undefined;
  #waiting: (() => void)[] = [];
  #version = 0;
  #failure: unknown;

  constructor(log: FollowedLog<LogRecord>, options: HubSessionOptions) {
    this.#log = log;
    this.#options = options;
    // For followers; there may be none.
    this.#opening.promise.catch(() => undefined);
    // It outlives the request that it begins with, and that request's trace.
    void runForSpan(undefined, () => this.#run());
  }

  /** Resolves when records can follow; rejects with a ConnectError when the service does not respond. */
  get opened(): Promise<EventRing> {
    return this.#opening.promise;
  }

  /** Rises with every heartbeat and every record. */
  get version(): number {
    return this.#version;
  }

  /** Whether it ends: later followers need another one. */
  get isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  /** The defect that it ended by. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Bytes in the ring. */
  get sizeBytes(): number {
    return this.#ring?.sizeBytes ?? 0;
  }

  /** Calls the listener once, when the version is another one. */
  onChange(version: number, listener: () => void): void {
    if (this.isOver || version !== this.#version) listener();
    else this.#waiting.push(listener);
  }

  /**
   * Events of a topic, or all, after an event that is older than the ring, from the service's list: one call for all who
   * request them at once. Its last event is the requested one while nothing follows. Fails with the gateway's own errors.
   */
  async page(afterId: string, topic: string | undefined): Promise<EventStretch> {
    const ctx = this.#options.createContext(this.#ending.signal);
    return await this.#pages.run(JSON.stringify([afterId, topic]), ctx, async () => {
      const { records, nextId } = await this.#log.page(ctx, afterId, topic);
      const blocks = await this.#log.blocks(ctx, records);
      const bytes = Buffer.concat(blocks.map((block) => block.bytes));
      return { bytes, id: nextId, holdsLast: blocks.at(-1)?.id === nextId };
    });
  }

  end(): void {
    this.#ending.abort();
  }

  async #run(): Promise<void> {
    const { createContext, openTimeoutMs } = this.#options;
    const { signal } = this.#ending;
    const ctx = createContext(signal);
    const publish = (records: readonly LogRecord[]) => this.#publish(records);
    const gatherer = gatherRecords(publish, this.#log.sizeBytesOf, pauseMs, signal);
    try {
      const { headers = {} } = callOptionsOf([ctx], signal);
      let position = "";
      const messages = followStream({
        open: (call) => this.#log.watch(ctx, position, { ...call, headers }),
        openTimeoutMs,
        signal,
        backoff: new Backoff(firstBackoffMs, maxBackoffMs),
        onBreak: (error) => {
          if (isLost(error) || position === "") return false;
          this.#notify();
          return true;
        },
      });
      for await (const { records, startedAfterId, throughId } of messages) {
        const after = position === "" ? startedAfterId : position;
        position = throughId === "" ? after : throughId;
        this.#begin(after);
        if (records.length > 0) await gatherer.add(records);
        else this.#notify();
      }
    } catch (error) {
      if (this.#ring === undefined) this.#opening.reject(error);
      else this.#failure = error;
    } finally {
      this.#finish();
    }
  }

  #begin(startId: string): void {
    if (this.#ring !== undefined) return;
    this.#ring = new EventRing(startId, this.#options.ringBytes);
    this.#opening.resolve(this.#ring);
  }

  async #publish(records: readonly LogRecord[]): Promise<void> {
    try {
      const ctx = this.#options.createContext(this.#ending.signal);
      this.#ring?.append(await this.#log.blocks(ctx, records));
      this.#notify();
    } catch (error) {
      this.#failure = error;
      this.#ending.abort();
    }
  }

  #notify(): void {
    this.#version++;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const listener of waiting) listener();
  }

  #finish(): void {
    this.#ending.abort();
    this.#opening.reject(new ConnectError("the watch ended before it began", Code.Unavailable));
    this.#notify();
  }
}

/** Whether a broken watch cannot continue where it was. @throws what is no failure of the watch */
function isLost(error: unknown): boolean {
  if (error === undefined) return false;
  if (!(error instanceof ConnectError)) throw error;
  const reason = errorInfoOf(error)?.reason ?? ErrorReason.UNSPECIFIED;
  return error.code === Code.NotFound || lostReasons.has(reason);
}
