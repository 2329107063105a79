import { zLogLevel, zSeconds } from "./values.ts";
import { z } from "zod";

/** Variables of every process that serves. */
export const processShape = {
  /** Address to listen on; default all of them. */
  HOST: z.string().optional(),
  LOG_LEVEL: zLogLevel.default("info"),
  /** How long it serves on after SIGTERM, with readiness saying no already. */
  SHUTDOWN_DELAY_SECONDS: zSeconds.default(5),
  /** How long what is under way may take after that. */
  SHUTDOWN_TIMEOUT_SECONDS: zSeconds.default(10),
};

const zProcess = z.object(processShape);

/** What a server takes of those variables. */
export interface ProcessOptions {
  host: string | undefined;
  shutdownDelayMs: number;
  shutdownTimeoutMs: number;
}

export function processOptionsOf(config: z.output<typeof zProcess>): ProcessOptions {
  return {
    host: config.HOST,
    shutdownDelayMs: config.SHUTDOWN_DELAY_SECONDS * 1000,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_SECONDS * 1000,
  };
}
