import { settledWithin } from "@storefront/process";
import { ConnectionSilentError } from "./database-errors.ts";
import type { DriverPool } from "./drivers/driver-pool.ts";

/** Longest wait for a silent server to respond, in milliseconds. */
const responseWaitMs = 750;

/** Time between two probes, in milliseconds; longer, so that calls that are retried at once fail at once. */
const probeIntervalMs = 1500;

/**
 * Whether a server is silent: from when a statement or a new connection got no response, until it responds on any
 * connection. It is probed on a separate connection, immediately and then while there are callers.
 */
export class Silence {
  readonly #pool: DriverPool;
  readonly #onSilence: (error: ConnectionSilentError) => void;
  #isSilent = false;
  #probedAtMs = -Infinity;
  /** Rejects when the server does not respond in time after the last probe. */
  #responded: Promise<void> = Promise.resolve();
  #resolveResponded: () => void = () => undefined;

  /** @param onSilence called for each probe without a response in time. */
  constructor(pool: DriverPool, onSilence: (error: ConnectionSilentError) => void) {
    this.#pool = pool;
    this.#onSilence = onSilence;
  }

  /** A statement or a new connection got no response. */
  begin(): void {
    if (this.#isSilent) return;
    this.#isSilent = true;
    this.#probe();
  }

  /** The server has responded. */
  isOver(): void {
    this.#isSilent = false;
    this.#resolveResponded();
  }

  /** @throws ConnectionSilentError when the server still does not respond. */
  async end(): Promise<void> {
    if (!this.#isSilent) return;
    if (performance.now() - this.#probedAtMs >= probeIntervalMs) this.#probe();
    await this.#responded;
  }

  #probe(): void {
    this.#probedAtMs = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resolveResponded = resolve;
    // A late response counts too, since a connection may take longer than a caller waits for it.
    this.#pool.probe().then(
      () => this.isOver(),
      // The wait below ends before a silent probe does.
      () => undefined,
    );
    this.#responded = settledWithin(responseWaitMs, promise, () => {
      throw new ConnectionSilentError();
    });
    this.#responded.catch((error: ConnectionSilentError) => {
      // They use the same network, and would each cost a caller the same wait.
      this.#pool.dropIdle();
      this.#onSilence(error);
    });
  }
}
