import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import type { ContainerTools } from "../container-tools.ts";

/** As a strict orchestrator runs a container. */
const hardened = [
  "--read-only",
  "--read-only-tmpfs=false",
  "--cap-drop=all",
  "--security-opt=no-new-privileges",
  "--network=host",
];

/** The result of a container that has ended. */
export interface EndedContainer {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** How a container runs. */
export interface ContainerOptions {
  image: string;
  env?: Readonly<Record<string, string>>;
  /** Parameters of its program. */
  parameters?: readonly string[];
  /** Text on its standard input. */
  input?: string;
}

/** A running container; its root file system is read-only, and it has no capabilities. */
export interface RunningContainer {
  /** Its output so far, for an error's message. */
  logs(): string;
  /** Settles with the first text on its standard output. */
  firstOutput: Promise<void>;
  signal(name: "TERM" | "KILL"): Promise<void>;
  ended: Promise<EndedContainer>;
}

let count = 0;

/** Starts a container with a unique name; it is removed when it has ended. */
export function startContainer(
  tools: ContainerTools,
  { image, env = {}, parameters = [], input }: ContainerOptions,
): RunningContainer {
  const name = `storefront-test-${process.pid}-${(count += 1)}`;
  const variables = Object.entries(env).map(([key, value]) => `--env=${key}=${value}`);
  const child = spawn(
    "podman",
    [
      "run",
      "--rm",
      "--interactive",
      `--name=${name}`,
      ...hardened,
      ...variables,
      image,
      ...parameters,
    ],
    { env: tools.env, stdio: "pipe" },
  );
  child.stdin.end(input ?? "");
  let output = "";
  const first = Promise.withResolvers<void>();
  child.stdout.once("data", () => first.resolve());
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data: Buffer) => (output += data.toString()));
  }
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(
    ([stdout, stderr]) => ({ status: child.exitCode, stdout, stderr }),
  );
  return {
    logs: () => output,
    firstOutput: first.promise,
    async signal(signal) {
      await tools.run("podman", ["kill", `--signal=${signal}`, name]);
    },
    ended,
  };
}

/** Runs a container to its end. */
export function runContainer(
  tools: ContainerTools,
  options: ContainerOptions,
): Promise<EndedContainer> {
  return startContainer(tools, options).ended;
}

/** Interval of readiness checks, in milliseconds: no event says that a container is ready. */
const askIntervalMs = 50;

/**
 * Waits until a URL responds with 200.
 *
 * @throws Error with the container's output, when it ends or 30 s have passed
 */
export async function untilReady(container: RunningContainer, url: string): Promise<void> {
  const deadline = AbortSignal.timeout(30_000);
  let hasEnded = false;
  void container.ended.then(() => (hasEnded = true));
  for (;;) {
    const response = await fetch(url, { signal: deadline }).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    if (hasEnded || deadline.aborted) {
      throw new Error(`${url} did not become ready: ${container.logs()}`);
    }
    await setTimeout(askIntervalMs);
  }
}
