import { sharedFile } from "@storefront/testkit";
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const execFileAsync = promisify(execFile);

/** The folder with the real one-node Kubernetes and the container tools, beside the shared data. */
const setup = sharedFile("kubernetes/setup.sh");

/** Largest output of a program, in bytes. */
const maxBuffer = 64 * 1024 * 1024;

/** podman, buildah and the other tools of the folder. */
export interface ContainerTools {
  /** Directory of the tools and the cluster. */
  directory: string;
  /** Variables that the tools need. */
  env: Readonly<Record<string, string>>;
  /** The Node base image that is available without a registry. */
  baseImage: string;
  /**
   * Runs a tool to its end.
   *
   * @returns its standard output.
   * @throws Error with its standard error when its status is not 0.
   */
  run(program: string, parameters: readonly string[], options?: RunOptions): Promise<string>;
}

/** How a tool runs. */
export interface RunOptions {
  cwd?: string;
  /** Variables beside those of the tools. */
  env?: Readonly<Record<string, string>>;
  /** Milliseconds until it is killed; default 5 minutes. */
  timeoutMs?: number;
}

const baseImage = "docker.io/library/node:24-bookworm-slim";

/** The tools, or a sentence that says why there are none. */
export const containerTools: ContainerTools | string = findTools();

/** For suites that need the tools: what is missing, undefined when nothing is. */
export const missingContainerTools =
  typeof containerTools === "string" ? containerTools : undefined;

function findTools(): ContainerTools | string {
  if (setup === undefined) return "there is no folder of container tools in STOREFRONT_SHARED";
  if (process.getuid?.() !== 0) return "the container tools need root";
  const directory = process.env["K"] ?? /K=\$\{K:-([^}]+)\}/.exec(readFileSync(setup, "utf8"))?.[1];
  if (directory === undefined || !existsSync(join(directory, "env.sh"))) {
    return "the container tools are not set up: run kubernetes/setup.sh of STOREFRONT_SHARED";
  }
  const env = environmentOf(directory);
  return {
    directory,
    env,
    baseImage,
    async run(program, parameters, { cwd, env: more, timeoutMs = 300_000 } = {}) {
      const { stdout } = await execFileAsync(program, parameters, {
        env: { ...env, ...more },
        cwd,
        timeout: timeoutMs,
        maxBuffer,
      });
      return stdout;
    },
  };
}

/** Variables of the tools' own script, with their home directory, which contains their policy. */
function environmentOf(directory: string): Record<string, string> {
  const script = `. "$1/env.sh"; export K="$1" HOME="$1/home"; env -0`;
  const text = execFileSync("bash", ["-c", script, "bash", directory], { encoding: "utf8" });
  return Object.fromEntries(
    text
      .split("\0")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}
