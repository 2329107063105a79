import { Code, ConnectError } from "@connectrpc/connect";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { runForSpan } from "@storefront/telemetry";
import { callOptionsOf, callUpstream } from "../upstream/call-upstream.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { entryBlocks } from "./entry-blocks.ts";
import { EntryRing } from "./entry-ring.ts";
import type { EntryBlock } from "./entry-ring.ts";
import { followEntries } from "./follow-entries.ts";
import { gatherEntries } from "./gather-entries.ts";

/** What a session works with. */
export interface HubSessionOptions {
  /** Of work for all followers, which ends with the signal. */
  createContext: (signal: AbortSignal) => RequestContext;
  /** Longest wait for the first message, in milliseconds. */
  openTimeoutMs: number;
  /** Bytes of events that are kept for followers that come back, or are slow. */
  ringBytes: number;
}

/** Shortest time between two writes to a follower: a fifth of what changes may take to arrive. */
const pauseMs = 200;

/** The contract's cap. */
const pageSize = 50;

/**
 * One watch of the changelog, from when it began with what was stored from then on: its entries,
 * enriched once, in a ring for all followers. It is over when what it has given was undone, or when
 * nothing says how to go on; then its followers come back to another one.
 */
export class HubSession {
  readonly #options: HubSessionOptions;
  readonly #ending = new AbortController();
  readonly #opening = Promise.withResolvers<EntryRing>();
  readonly #pages = new Map<string, Promise<readonly EntryBlock[]>>();
  #ring: EntryRing | undefined;
  #waiting: (() => void)[] = [];
  #version = 0;
  #failure: unknown;

  constructor(options: HubSessionOptions) {
    this.#options = options;
    // Whoever waits for it is told; there may be nobody.
    this.#opening.promise.catch(() => undefined);
    // It outlives the request that it begins with, and so that request's trace.
    void runForSpan(undefined, () => this.#run());
  }

  /** Resolves when entries can follow; rejects with a ConnectError when the changelog does not answer. */
  get opened(): Promise<EntryRing> {
    return this.#opening.promise;
  }

  /** Rises with every sign of life and everything that is new. */
  get version(): number {
    return this.#version;
  }

  /** True from the moment that it is told to end: whoever comes then belongs to another one. */
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

  /** Tells once that the version is another one, at once when it is already. */
  onChange(version: number, listener: () => void): void {
    if (this.isOver || version !== this.#version) listener();
    else this.#waiting.push(listener);
  }

  /**
   * Entries that follow one which is older than the ring, from the changelog's list: one call for all
   * who ask at once. Fails with the gateway's own errors.
   */
  async page(afterEntryId: string): Promise<readonly EntryBlock[]> {
    const asked = this.#pages.get(afterEntryId);
    if (asked !== undefined) return await asked;
    const page = this.#readPage(afterEntryId);
    this.#pages.set(afterEntryId, page);
    try {
      return await page;
    } finally {
      this.#pages.delete(afterEntryId);
    }
  }

  end(): void {
    this.#ending.abort();
  }

  async #run(): Promise<void> {
    const { createContext, openTimeoutMs } = this.#options;
    const { signal } = this.#ending;
    const ctx = createContext(signal);
    const gatherer = gatherEntries((entries) => this.#publish(entries), pauseMs, signal);
    try {
      const followed = followEntries({
        watch: (request, options) => ctx.clients.changelogStreams.watchEntries(request, options),
        headers: callOptionsOf([ctx], signal).headers ?? {},
        openTimeoutMs,
        signal,
      });
      for await (const { after, entries } of followed) {
        this.#begin(after);
        if (entries.length > 0) await gatherer.add(entries);
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
    this.#ring = new EntryRing(startId, this.#options.ringBytes);
    this.#opening.resolve(this.#ring);
  }

  async #publish(entries: readonly Entry[]): Promise<void> {
    try {
      this.#ring?.append(
        await entryBlocks(this.#options.createContext(this.#ending.signal), entries),
      );
      this.#notify();
    } catch (error) {
      this.#failure = error;
      this.#ending.abort();
    }
  }

  async #readPage(afterEntryId: string): Promise<readonly EntryBlock[]> {
    const ctx = this.#options.createContext(this.#ending.signal);
    const start = { case: "afterEntryId", value: afterEntryId } as const;
    const { entries } = await callUpstream(ctx, "changelog.ListEntriesSince", (options) =>
      ctx.clients.changelog.listEntriesSince({ start, pageSize }, options),
    );
    return await entryBlocks(ctx, entries);
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
