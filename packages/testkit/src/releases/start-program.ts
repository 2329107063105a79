import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { today } from "./release.ts";
import type { Release } from "./release.ts";

/** A server program to start. */
export interface ProgramOptions {
  /** Release of the program; default today's. */
  release?: Release;
  /** Its main module: an absolute path, or one below the release's root, such as `gateway/src/main.ts`. */
  main: string;
  /** All its variables except PATH and the compile cache of the tests. */
  env: Readonly<Record<string, string>>;
  /** Limit of open files; default that of the tests. Needs `prlimit`, of Linux. */
  openFilesMax?: number;
}

/** A program that is running. */
export interface RunningProgram {
  pid: number;
  /** Base URL of its first port. */
  url: string;
  /** `host:port` of its gRPC port, if it has one. */
  grpcAddress: string;
  /** Lines that it has logged. */
  log(): readonly Readonly<Record<string, unknown>>[];
  /** Resolves when it has ended. */
  ended: Promise<void>;
  /** Shuts it down by SIGTERM; returns its exit status, null when the signal ended it. */
  stop(): Promise<number | null>;
  /** Ends it at once, by SIGKILL. */
  kill(): Promise<void>;
}

/**
 * Starts a service or a gateway as it is deployed: a process of its own with its own environment.
 *
 * @throws Error with its output when it ends before it listens.
 */
export async function startProgram(options: ProgramOptions): Promise<RunningProgram> {
  const { release = today, main, env, openFilesMax } = options;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const command = [process.execPath, resolve(release.root, main)];
  if (openFilesMax !== undefined) command.unshift("prlimit", `--nofile=${openFilesMax}`, "--");
  const [program = "", ...parameters] = command;
  const child = spawn(program, parameters, {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const lines: Record<string, unknown>[] = [];
  const listening = Promise.withResolvers<Record<string, unknown>>();
  createInterface({ input: child.stdout }).on("line", (text) => {
    const line = JSON.parse(text) as Record<string, unknown>;
    lines.push(line);
    if (line["msg"] === "listening") listening.resolve(line);
  });
  void ended.then(() =>
    listening.reject(new Error(`${main} ended before it listened:\n${errors}`)),
  );
  const { port, grpcPort } = await listening.promise;
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${Number(port)}`,
    grpcAddress: `127.0.0.1:${Number(grpcPort)}`,
    log: () => lines,
    ended: ended.then(() => undefined),
    stop: async () => {
      await end("SIGTERM");
      return child.exitCode;
    },
    kill: () => end("SIGKILL"),
  };
}
