import { settledWithin } from "@storefront/process";
import type { Logger } from "@storefront/process";

/** Longest time of a check; then it has failed. */
const checkTimeoutMs = 2000;

/** Named checks; each resolves when its dependency is available, and rejects otherwise. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** Whether a server should get calls. */
export interface ReadinessReport {
  ready: boolean;
  /** Names of the checks that failed. */
  failing: readonly string[];
}

/** Runs the checks of a server. */
export class Readiness {
  readonly #checks: ReadinessChecks;
  readonly #logger: Logger;
  #running: Promise<ReadinessReport> | undefined;
  #draining = false;
  readonly #drainListeners: (() => void)[] = [];
  /** Checks that failed when they ran last: logged once, not each time. */
  readonly #failing = new Set<string>();
  readonly #passedOnce = new Set<string>();

  constructor(checks: ReadinessChecks, logger: Logger) {
    this.#checks = checks;
    this.#logger = logger;
  }

  /** Makes the server not ready, whatever the checks report. */
  drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    for (const listener of this.#drainListeners) listener();
  }

  /** Calls `listener` once, when draining begins. */
  onDrain(listener: () => void): void {
    this.#drainListeners.push(listener);
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Runs all checks, or joins the current run. Never rejects. */
  async report(): Promise<ReadinessReport> {
    if (!this.#draining) {
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
      const report = await this.#running;
      // Draining may have begun in the meantime.
      if (!this.#draining) return report;
    }
    return { ready: false, failing: ["draining"] };
  }

  async #run(): Promise<ReadinessReport> {
    const failing: string[] = [];
    const run = async (name: string, check: () => Promise<void>): Promise<void> => {
      try {
        await settledWithin(checkTimeoutMs, check(), () => {
          throw new Error(`no response in ${checkTimeoutMs} ms`);
        });
        this.#passedOnce.add(name);
        if (this.#failing.delete(name)) this.#logger.info({ check: name }, "ready");
      } catch (error) {
        failing.push(name);
        if (this.#failing.has(name)) return;
        this.#failing.add(name);
        const cause = error instanceof Error ? error.message : String(error);
        // At its start a server waits for its dependencies; a later failure is a warning.
        if (this.#passedOnce.has(name)) this.#logger.warn({ check: name, cause }, "not ready");
        else this.#logger.info({ check: name, cause }, "not ready yet");
      }
    };
    await Promise.all(Object.entries(this.#checks).map(([name, check]) => run(name, check)));
    return { ready: failing.length === 0, failing };
  }
}
