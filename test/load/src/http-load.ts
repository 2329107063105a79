import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findProgram } from "@storefront/testkit";
import { startChild } from "./child-process.ts";
import type { RoundResult, Side } from "./measure-in-turn.ts";

/** The requests to a server. */
export interface HttpLoadOptions {
  /** Base URL. */
  url: string;
  /** GETs that take turns; at any moment no two connections request the same one. */
  paths: readonly string[];
  /** Requests in progress at once, each on a connection of its own. */
  connections: number;
  /** Whole seconds per round. */
  roundSeconds: number;
}

/** A process that loads a server, a round at a time. */
export interface HttpLoad {
  /** Rejects when a response is not 200 or a connection fails. */
  round: Side;
  stop(): Promise<void>;
}

/** Loads with wrk where it is installed, since it uses less of the machine; else with autocannon. */
export async function startHttpLoad(options: HttpLoadOptions): Promise<HttpLoad> {
  const wrk = findProgram("wrk");
  if (wrk !== undefined) {
    return { round: () => runWrk(wrk, options), stop: () => Promise.resolve() };
  }
  const { child } = await startChild("./processes/autocannon-load.ts");
  await child.ask({ ...options, paths: [...options.paths] });
  return { round: async () => (await child.ask("round")) as RoundResult, stop: () => child.stop() };
}

const script = fileURLToPath(new URL("processes/take-turns.lua", import.meta.url));

const millisecondsIn: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

async function runWrk(
  wrk: string,
  { url, paths, connections, roundSeconds }: HttpLoadOptions,
): Promise<RoundResult> {
  const settings = ["-t1", `-c${connections}`, `-d${roundSeconds}s`, "--latency", "-s", script];
  const { stdout } = await promisify(execFile)(wrk, [...settings, url, "--", ...paths]);
  const perSecond = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1];
  const [, p99, unit = ""] = /99%\s+([\d.]+)(us|ms|s|m)\b/.exec(stdout) ?? [];
  if (perSecond === undefined || /Non-2xx|Socket errors/.test(stdout)) {
    throw new Error(`wrk on ${url}:\n${stdout}`);
  }
  return {
    perSecond: Number(perSecond),
    p99Ms: Number(p99) * (millisecondsIn[unit] ?? Number.NaN),
  };
}
