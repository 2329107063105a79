import type { TestStack } from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { until } from "./until.ts";

/** A mirror that follows its origin. */
export interface RunningMirror {
  readonly pid: number;
  /** Resolves when the snapshot is taken over; rejects when the mirror ends before. */
  readonly following: Promise<void>;
  /** Ends it, and tells what it took over since. */
  stop(): Promise<MirroredChanges>;
}

/** Changes that a mirror took over after its snapshot, and their lags in milliseconds. */
export interface MirroredChanges {
  changes: number;
  lagMs?: { p50: number; p99: number };
}

/** Starts `storefront mirror` from one stack to another, which is empty. */
export function startMirror(origin: TestStack, copy: TestStack): RunningMirror {
  const mirror = copy.startCli(["mirror", origin.gatewayUrl, "--json"]);
  const failed = mirror.ended.then(({ status, stderr }) => {
    throw new Error(`The mirror ended with status ${status}: ${stderr}`);
  });
  failed.catch(() => undefined);
  const state = `${copy.dataDirectory}/mirror.json`;
  const taken = until(async () => {
    // While the snapshot is on its way, its cursor is a member of that.
    const { cursor } = JSON.parse(await readFile(state, "utf8")) as { cursor?: string };
    return cursor !== undefined;
  });
  return {
    pid: mirror.process.pid ?? 0,
    following: Promise.race([taken, failed]),
    async stop() {
      mirror.process.kill("SIGTERM");
      const { status, stdout, stderr } = await mirror.ended;
      if (status !== 0) throw new Error(`The mirror ended with status ${status}: ${stderr}`);
      return JSON.parse(stdout) as MirroredChanges;
    },
  };
}
