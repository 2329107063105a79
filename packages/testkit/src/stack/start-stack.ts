import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { copyMigratedDatabase } from "./copy-migrated-database.ts";
import { noOtherStack, runCli, startCli } from "./run-cli.ts";
import type { CliOptions, CliResult, RunningCli } from "./run-cli.ts";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

/** Options of a test's stack. */
export interface StackOptions {
  /** Default: a new one, removed by `stop`. */
  dataDirectory?: string;
  /** Parameters of `start` besides the port and the directory; default `--empty`. */
  parameters?: readonly string[];
  /** Variables besides free ports; a `DATABASE_URL` chooses another database than PGlite. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Whether this start creates the embedded database; by default it finds an empty one. */
  makesDatabase?: boolean;
}

/** Addresses of the stack's parts. */
export interface StackAddresses {
  gatewayUrl: string;
  /** Base URL of ingest by HTTP, where INGEST_HTTP_PORT is set. */
  ingestUrl?: string;
  /** Base URL of the RPCs that manage webhooks, where ADMIN_TOKEN is set. */
  webhooksUrl?: string;
  services: Readonly<Record<string, { url: string; grpcAddress: string }>>;
}

/** `storefront start` in processes of its own, ready. */
export interface TestStack extends StackAddresses {
  dataDirectory: string;
  /** The process of the gateway, which is `storefront start` itself. */
  process: RunningCli["process"];
  /** Process id of the services at this moment. */
  servicesPid(): Promise<number>;
  /** Standard error of the stack so far. */
  log(): string;
  /** Runs another command on this stack. */
  cli(parameters: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Starts another command on this stack. */
  startCli(parameters: readonly string[], options?: CliOptions): RunningCli;
  /** Shuts the stack down and removes the directory, unless that was given. */
  stop(): Promise<CliResult>;
  /** Ends the gateway's process with SIGKILL and waits for its end. */
  kill(): Promise<void>;
}

/** Variables that let the system choose the services' ports. */
export const freePorts = {
  CATALOG_PORT: "0",
  CATALOG_GRPC_PORT: "0",
  PRICING_PORT: "0",
  PRICING_GRPC_PORT: "0",
  REVIEWS_PORT: "0",
  REVIEWS_GRPC_PORT: "0",
  CHANGELOG_PORT: "0",
  CHANGELOG_GRPC_PORT: "0",
  SEARCH_PORT: "0",
  SEARCH_GRPC_PORT: "0",
  WEBHOOKS_PORT: "0",
  WEBHOOKS_GRPC_PORT: "0",
};

/**
 * Starts the whole stack on free ports and waits until it is ready.
 *
 * @throws Error with its output when it ends before.
 */
export async function startStack(options: StackOptions = {}): Promise<TestStack> {
  const temporary =
    options.dataDirectory === undefined ? await makeTemporaryDirectory() : undefined;
  const dataDirectory = options.dataDirectory ?? temporary?.path ?? "";
  const parameters = options.parameters ?? ["--empty"];
  if (options.env?.["DATABASE_URL"] === undefined && options.makesDatabase !== true) {
    await copyMigratedDatabase(dataDirectory);
  }
  const running = startCli(
    ["start", "--json", "--port", "0", "--data-dir", dataDirectory, ...parameters],
    { env: { ...noOtherStack, ...freePorts, ...options.env } },
  );
  const addresses = await addressesWhenReady(running).catch(async (error: unknown) => {
    await temporary?.remove();
    throw error;
  });
  const env = { ...noOtherStack, ...options.env, DATA_DIR: dataDirectory };
  return {
    ...addresses,
    dataDirectory,
    process: running.process,
    servicesPid: () => onlyChildOf(running.process.pid),
    log: () => running.written.stderr,
    cli: (command, cliOptions) =>
      runCli(command, { ...cliOptions, env: { ...env, ...cliOptions?.env } }),
    startCli: (command, cliOptions) =>
      startCli(command, { ...cliOptions, env: { ...env, ...cliOptions?.env } }),
    async stop() {
      running.process.kill("SIGINT");
      const result = await running.ended;
      await temporary?.remove();
      return result;
    },
    async kill() {
      running.process.kill("SIGKILL");
      if (running.process.exitCode === null && running.process.signalCode === null) {
        await once(running.process, "exit");
      }
    },
  };
}

async function addressesWhenReady(running: RunningCli): Promise<StackAddresses> {
  const line = await new Promise<string>((resolve, reject) => {
    running.process.stdout?.on("data", () => {
      const end = running.written.stdout.indexOf("\n");
      if (end !== -1) resolve(running.written.stdout.slice(0, end));
    });
    void running.ended.then(({ status, stderr }) =>
      reject(new Error(`The stack ended with status ${status} before it was ready:\n${stderr}`)),
    );
  });
  return JSON.parse(line) as StackAddresses;
}

/** The stack's one child, the services' process, by `/proc`. */
async function onlyChildOf(pid: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const [child] = children.trim().split(" ").map(Number);
  if (!child) throw new Error("The stack has no services process at this moment.");
  return child;
}
