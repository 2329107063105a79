import { settledWithin } from "@storefront/process";
import { setTimeout as sleep } from "node:timers/promises";

/** Conditions of an idle database; times are in milliseconds. */
export interface IdleOptions {
  /** Time after its last use. */
  readonly afterMs: number;
  /**
   * Interval of polls of an idle one, by all processes at the same time of the clock.
   */
  readonly pollMs: number;
}

/** Last use of a database, by this process or, if notified, by others. */
export class DatabaseActivity {
  readonly #options: IdleOptions;
  readonly #wakers = new Set<() => void>();
  #lastUseMs = performance.now();

  constructor(options: IdleOptions) {
    this.#options = options;
  }

  /** Its last use, by `performance.now()`. */
  get lastUseMs(): number {
    return this.#lastUseMs;
  }

  /** Time until it is idle, unless it is used; 0 when it is idle. */
  get msUntilIdle(): number {
    return Math.max(0, this.#lastUseMs + this.#options.afterMs - performance.now());
  }

  noteUse(): void {
    this.#lastUseMs = performance.now();
    for (const wake of this.#wakers) wake();
  }

  /** Resolves at the next use, when an idle database is polled, or when the signal aborts. */
  async untilUse(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const { pollMs } = this.#options;
    // By the clock: one wake-up for all processes, and suspension in between.
    const timer = setTimeout(wake, pollMs - (Date.now() % pollMs));
    timer.unref();
    this.#wakers.add(wake);
    signal.addEventListener("abort", wake);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#wakers.delete(wake);
      signal.removeEventListener("abort", wake);
    }
  }
}

/** Channel of notifications of commits, one for all schemas of a database. */
export const commitChannel = "storefront_commit";

const listen = { text: `listen ${commitChannel}` };

/** Between attempts to connect. */
const retryMs = 1000;

/** Longest wait for a response; then the connection is closed. */
const responseTimeoutMs = 5000;

/** A connection of its own to listen on. */
export interface ListeningClient {
  connect(): Promise<unknown>;
  query(statement: { text: string }): Promise<unknown>;
  on(event: "error" | "end" | "notification", listener: () => void): unknown;
  end(): Promise<unknown>;
}

/**
 * Listens for commits of all processes, which count as uses of the database. A connection that is lost
 * is reopened, unless the database was idle during all of its life: a suspended server closes its
 * connections, and new ones would wake it before it is used.
 */
export class CommitListener {
  readonly #createClient: () => ListeningClient;
  readonly #activity: DatabaseActivity;
  readonly #closing = new AbortController();
  #client: ListeningClient | undefined;
  #isSuspended = false;
  #running: Promise<void> | undefined;
  #checking: Promise<boolean> | undefined;
  #giveUp: (() => void) | undefined;

  constructor(createClient: () => ListeningClient, activity: DatabaseActivity) {
    this.#createClient = createClient;
    this.#activity = activity;
  }

  /** Whether notifications of commits arrive, as far as is known, or the server is suspended and sends none. */
  get isListening(): boolean {
    return this.#client !== undefined || this.#isSuspended;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Whether notifications of commits arrive; a silently lost connection is closed. */
  async check(): Promise<boolean> {
    const client = this.#client;
    if (client === undefined) return this.#isSuspended;
    this.#checking ??= this.#isResponding(client).finally(() => (this.#checking = undefined));
    return await this.#checking;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#giveUp?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#listen();
      if (this.#isSuspended) {
        await this.#activity.untilUse(signal);
        this.#isSuspended = false;
      } else {
        // Wakes those that rely on notifications: they poll until there is a listener again.
        this.#activity.noteUse();
        // Rejects only after the abort, which the loop checks.
        await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** Resolves when the connection has ended or cannot be opened. */
  async #listen(): Promise<void> {
    const client = this.#createClient();
    const ended = Promise.withResolvers<void>();
    this.#giveUp = ended.resolve;
    client.on("error", () => ended.resolve());
    client.on("end", () => ended.resolve());
    client.on("notification", () => this.#activity.noteUse());
    const connecting = connect(client);
    if (await Promise.race([connecting, ended.promise.then(() => false)])) {
      this.#client = client;
      // Commits before this are polled for.
      this.#activity.noteUse();
      const { lastUseMs } = this.#activity;
      await ended.promise;
      this.#client = undefined;
      this.#isSuspended =
        this.#activity.msUntilIdle === 0 && this.#activity.lastUseMs === lastUseMs;
    }
    // Not awaited: on a silent network it would never end.
    client.end().catch(() => undefined);
  }

  async #isResponding(client: ListeningClient): Promise<boolean> {
    const responded = client.query(listen).then(
      () => true,
      () => false,
    );
    const isResponding = await settledWithin(responseTimeoutMs, responded, () => false);
    if (!isResponding && client === this.#client) this.#giveUp?.();
    return isResponding;
  }
}

/** A failure is not reported: uses of the server report that it is unavailable. */
async function connect(client: ListeningClient): Promise<boolean> {
  try {
    await client.connect();
    await client.query(listen);
    return true;
  } catch {
    return false;
  }
}
