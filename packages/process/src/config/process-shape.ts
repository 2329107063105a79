import { zLogLevel, zSeconds } from "./values.ts";
import { z } from "zod";

/** Default time for running calls once nothing new is accepted. */
export const defaultShutdownTimeoutMs = 10_000;

/** Variables of every process that serves. */
export const processShape = {
  /** Address to listen on; default all of them. */
  HOST: z.string().optional(),
  LOG_LEVEL: zLogLevel.default("info"),
  /** How long it serves on after SIGTERM, with readiness saying no already. */
  SHUTDOWN_DELAY_SECONDS: zSeconds.default(5),
  /** How long running calls may take after that. */
  SHUTDOWN_TIMEOUT_SECONDS: zSeconds.default(defaultShutdownTimeoutMs / 1000),
};

const zProcess = z.object(processShape);

/** What a server takes of those variables. */
export interface ProcessOptions {
  host: string | undefined;
  shutdownDelayMs: number;
  shutdownTimeoutMs: number;
  /** Longest from SIGTERM to the end, less than the 30 s that Kubernetes gives by default. */
  closeTimeoutMs: number;
}

/** For what is closed once no call runs any more: feeds, connections, the export of traces. */
const lettingGoMs = 8000;

export function processOptionsOf(config: z.output<typeof zProcess>): ProcessOptions {
  const shutdownDelayMs = config.SHUTDOWN_DELAY_SECONDS * 1000;
  const shutdownTimeoutMs = config.SHUTDOWN_TIMEOUT_SECONDS * 1000;
  const closeTimeoutMs = shutdownDelayMs + shutdownTimeoutMs + lettingGoMs;
  return { host: config.HOST, shutdownDelayMs, shutdownTimeoutMs, closeTimeoutMs };
}
