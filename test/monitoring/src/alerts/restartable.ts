import {
  makeTemporaryDirectory,
  openFaultyLink,
  startPostgres,
  startProgram,
} from "@storefront/testkit";
import type { ProgramOptions, RunningProgram } from "@storefront/testkit";
import { vi } from "vitest";

/** Several programs start at once, on processors that other tests use too. */
const startTimeoutMs = 120_000;

/** A program that can be killed and restarted on its ports. */
export class RestartableProgram {
  readonly #options: ProgramOptions;
  #running: RunningProgram | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  /** Process id; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#running?.pid;
  }

  async start(): Promise<void> {
    // Another process may use its port for a moment.
    this.#running = await vi.waitFor(() => startProgram(this.#options), {
      timeout: startTimeoutMs,
    });
  }

  async kill(): Promise<void> {
    await this.#running?.kill();
    this.#running = undefined;
  }
}

/** A PostgreSQL that can be stopped and restarted at its address. */
export interface RestartablePostgres {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it and deletes its data. */
  close(): Promise<void>;
}

/** Starts a PostgreSQL of its own. */
export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const directory = await makeTemporaryDirectory();
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined;
  // Each start has another port.
  const link = await openFaultyLink(() => server && Number(new URL(server.url).port));
  const start = async () => {
    server = await startPostgres({ directory: directory.path });
  };
  const stop = async () => {
    const stopped = server;
    server = undefined;
    await stopped?.stop();
  };
  await start();
  const url = new URL(server?.url ?? "");
  url.port = String(link.port);
  return {
    url: url.href,
    start,
    stop,
    async close() {
      await stop();
      await link.close();
      await directory.remove();
    },
  };
}
