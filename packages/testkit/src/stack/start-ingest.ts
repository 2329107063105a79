import type { RunningCli } from "./run-cli.ts";
import type { TestStack } from "./start-stack.ts";

/** `storefront ingest` in a process of its own. */
export interface TestIngest {
  /** Base URL. */
  url: string;
  pid: number;
  process: RunningCli["process"];
  ended: RunningCli["ended"];
  /** Shuts it down. */
  stop(): Promise<void>;
}

/** The token of a test's ingest. */
export const ingestHttpToken = "the-token-of-ingest-by-http";

/**
 * Starts ingest by HTTP into a stack, and waits until it listens.
 *
 * @param variables in addition to those that it needs
 * @throws Error with its output when it ends before.
 */
export async function startIngest(
  stack: TestStack,
  variables: Readonly<Record<string, string>> = {},
): Promise<TestIngest> {
  const env = {
    INGEST_HTTP_PORT: "0",
    INGEST_HTTP_TOKEN: ingestHttpToken,
    SHUTDOWN_DELAY_SECONDS: "0",
    LOG_LEVEL: "info",
    ...variables,
  };
  const running = stack.startCli(["ingest"], { env });
  const listening = await new Promise<number>((resolve, reject) => {
    running.process.stdout?.on("data", () => {
      const found = /"port":(\d+),"msg":"listening"/.exec(running.written.stdout)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    void running.ended.then(({ stdout, stderr }) =>
      reject(new Error(`Ingest ended before it listened:\n${stdout}${stderr}`)),
    );
  });
  return {
    url: `http://127.0.0.1:${listening}`,
    pid: running.process.pid ?? 0,
    process: running.process,
    ended: running.ended,
    async stop() {
      running.process.kill("SIGTERM");
      await running.ended;
    },
  };
}
