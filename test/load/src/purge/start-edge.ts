import { startVarnish } from "@storefront/testkit";
import type { PostgresStack } from "../postgres-stack.ts";

/** Variables of a stack with an edge. */
export const edgeEnvironment = { CDN_TAG_HEADER: "xkey" };

/** A running `storefront purge`. */
export interface RunningPurge {
  /** Resolves when it has begun. */
  readonly begun: Promise<void>;
  /** What it has logged. */
  log(): string;
  /** Kills it. */
  kill(): Promise<void>;
  /** Shuts it down; resolves with its exit status. */
  stop(): Promise<number | null>;
}

/** A Varnish in front of a stack's gateway. */
export interface RunningEdge {
  url: string;
  startPurge(): RunningPurge;
  stop(): Promise<void>;
}

/** Starts a Varnish, without a process that purges it. */
export async function startEdge({ stack }: PostgresStack): Promise<RunningEdge> {
  const varnish = await startVarnish(stack.gatewayUrl);
  const { url } = varnish;
  const urlOf = (service: string) => stack.services[service]?.url;
  const env = {
    VARNISH_URL: url,
    CATALOG_URL: urlOf("catalog"),
    PRICING_URL: urlOf("pricing"),
    REVIEWS_URL: urlOf("reviews"),
    CHANGELOG_URL: urlOf("changelog"),
  };
  return {
    url,
    stop: () => varnish.stop(),
    startPurge() {
      const { process, written, ended } = stack.startCli(["purge"], { env });
      const begun = Promise.withResolvers<void>();
      process.stdout?.on("data", () => {
        if (written.stdout.includes('"msg":"purging"')) begun.resolve();
      });
      const end = async (signal: NodeJS.Signals) => {
        process.kill(signal);
        return await ended;
      };
      void ended.then(({ stderr }) => begun.reject(new Error(`It ended: ${stderr}`)));
      return {
        begun: begun.promise,
        log: () => written.stdout,
        kill: async () => void (await end("SIGKILL")),
        stop: async () => (await end("SIGTERM")).status,
      };
    },
  };
}
