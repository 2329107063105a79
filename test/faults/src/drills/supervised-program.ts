import { startProgram } from "@storefront/testkit";
import type { ProgramOptions, RunningProgram } from "@storefront/testkit";
import { setTimeout } from "node:timers/promises";

/** Pause between the end of a program and its next start, in milliseconds; a cluster waits longer. */
const restartDelayMs = 100;

/** A program that is restarted whenever it ends, as in a cluster. */
export class SupervisedProgram {
  readonly #options: ProgramOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #program: RunningProgram | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Port that it responds on, by Connect or by gRPC; undefined while it is down. */
  port(protocol: "connect" | "grpc"): number | undefined {
    if (this.#program === undefined) return undefined;
    const { url, grpcAddress } = this.#program;
    return Number(protocol === "connect" ? new URL(url).port : grpcAddress.split(":").at(-1));
  }

  /** Kills it, if it runs. */
  async kill(): Promise<void> {
    await this.#program?.kill();
  }

  /** Stops it without another restart. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#program?.kill();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        this.#program = await startProgram(this.#options);
        if (signal.aborted) await this.#program.kill();
        await this.#program.ended;
      } catch {
        // It ended before it listened, as it may while its database is unavailable.
      }
      this.#program = undefined;
      // oxlint-disable-next-line no-await-in-loop -- one run after the other
      if (!signal.aborted) await setTimeout(restartDelayMs);
    }
  }
}
