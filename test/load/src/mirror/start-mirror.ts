import type { TestStack } from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const lookIntervalMs = 100;

/** A mirror that follows its origin. */
export interface RunningMirror {
  readonly pid: number;
  /** Resolves when the snapshot is copied. */
  readonly following: Promise<void>;
  /**
   * Resolves once it is true; a rejection counts as false.
   *
   * @throws Error when the mirror ends before that
   */
  until(isTrue: () => Promise<boolean>): Promise<void>;
  /** Stops it; resolves with the changes since the snapshot. */
  stop(): Promise<MirroredChanges>;
}

/** Changes that a mirror copied after its snapshot, and their lags in milliseconds. */
export interface MirroredChanges {
  changes: number;
  lagMs?: { p50: number; p99: number };
}

/** Starts `storefront mirror` from one stack to another, which is empty. */
export function startMirror(origin: TestStack, copy: TestStack): RunningMirror {
  const mirror = copy.startCli(["mirror", origin.gatewayUrl, "--json"]);
  const over = new AbortController();
  const ended = mirror.ended.then((result) => {
    const { status, stderr } = result;
    over.abort(new Error(`The mirror ended with status ${status}: ${stderr}`));
    return result;
  });
  const until = async (isTrue: () => Promise<boolean>) => {
    while (!(await isTrue().catch(() => false))) {
      over.signal.throwIfAborted();
      await sleep(lookIntervalMs);
    }
  };
  const state = `${copy.dataDirectory}/mirror.json`;
  return {
    pid: mirror.process.pid ?? 0,
    following: until(async () => {
      // While the snapshot is in progress, the cursor is a member of `snapshot`.
      const { cursor } = JSON.parse(await readFile(state, "utf8")) as { cursor?: string };
      return cursor !== undefined;
    }),
    until,
    async stop() {
      mirror.process.kill("SIGTERM");
      const { status, stdout } = await ended;
      if (status !== 0) throw over.signal.reason;
      return JSON.parse(stdout) as MirroredChanges;
    },
  };
}
