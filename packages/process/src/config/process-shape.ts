import { z } from "zod";
import { option } from "./environment.ts";
import { zLogLevel, zSeconds } from "./values.ts";

const zTime = zSeconds.transform((seconds) => seconds * 1000);

/** Options of every server process. */
export const processShape = {
  host: option("HOST", z.string().optional(), "all addresses").describe(
    "Address to listen on. The services of `start` listen on the loopback address in any case.",
  ),
  logLevel: option("LOG_LEVEL", zLogLevel.default("info")).describe(
    "Lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`. `warn` with `start` and `cli`.",
  ),
  shutdownDelayMs: option("SHUTDOWN_DELAY_SECONDS", zTime.prefault("5")).describe(
    "Lame-duck time: how long new connections and requests are served after SIGTERM while `/readyz` says 503. 0 with `start`.",
  ),
  shutdownTimeoutMs: option("SHUTDOWN_TIMEOUT_SECONDS", zTime.prefault("10")).describe(
    "How long requests and calls in progress may take once nothing new is accepted, before they are cut.",
  ),
};

const zProcess = z.object(processShape);

/** Those options, as a server gets them. */
export type ProcessOptions = z.output<typeof zProcess>;

/** Default time for calls in progress once nothing new is accepted, in milliseconds. */
export const defaultShutdownTimeoutMs = processShape.shutdownTimeoutMs.parse(undefined);

/** Time to close feeds, connections and the export of traces once no call runs. */
const lettingGoMs = 8000;

/** Longest time from SIGTERM to the end, in milliseconds; less than the 30 s of Kubernetes's default. */
export function closeTimeoutOf({
  shutdownDelayMs,
  shutdownTimeoutMs,
}: Pick<ProcessOptions, "shutdownDelayMs" | "shutdownTimeoutMs">): number {
  return shutdownDelayMs + shutdownTimeoutMs + lettingGoMs;
}
