import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { today } from "../releases/release.ts";
import type { Release } from "../releases/release.ts";

/** Unsets variables that would direct a command to another stack. */
export const noOtherStack = {
  DATA_DIR: undefined,
  DATABASE_URL: undefined,
  INGEST_TOKEN: undefined,
  CATALOG_GRPC_URL: undefined,
  PRICING_GRPC_URL: undefined,
  REVIEWS_GRPC_URL: undefined,
  SEARCH_GRPC_URL: undefined,
};

const program = "packages/cli/src/main.ts";

/** Longest wait for the remaining output of a command that has ended, in milliseconds. */
const outputTimeoutMs = 5000;

/** Options to run `storefront`. */
export interface CliOptions {
  /** Release of the program; default today's. */
  release?: Release;
  /** Variables in addition to those of the test's own process; undefined unsets one. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Contents of standard input; default nothing. */
  stdin?: string | Uint8Array;
  /** Whether standard input stays open after that, as of a source that continues. */
  holdStdin?: boolean;
}

/** Result of a command. */
export interface CliResult {
  /** Exit status; null when a signal ended it. */
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A running command. */
export interface RunningCli {
  process: ChildProcess;
  /** Its output so far. */
  written: { stdout: string; stderr: string };
  /** Resolves when it has ended and all its output was read. */
  ended: Promise<CliResult>;
}

/** Starts `storefront` with these parameters in a process of its own. */
export function startCli(parameters: readonly string[], options: CliOptions = {}): RunningCli {
  const { root } = options.release ?? today;
  const child = spawn(process.execPath, [join(root, program), ...parameters], {
    env: { ...process.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (written.stderr += text));
  // A command that does not read its input may have ended before it is written.
  child.stdin.on("error", () => undefined);
  child.stdin.write(options.stdin ?? "");
  if (options.holdStdin !== true) child.stdin.end();
  const closed = once(child, "close");
  const ended = once(child, "exit").then(async () => {
    // A process that it started may keep its outputs open.
    await Promise.race([closed, setTimeout(outputTimeoutMs, undefined, { ref: false })]);
    return { status: child.exitCode, ...written };
  });
  return { process: child, written, ended };
}

/** Runs `storefront` to its end. */
export async function runCli(
  parameters: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  return await startCli(parameters, options).ended;
}
