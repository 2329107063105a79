import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";
import type { ProcessOptions } from "../config/process-shape.ts";

export type { Logger } from "pino";

/** Levels a process can be set to; `silent` writes nothing. */
export type LogLevel = ProcessOptions["logLevel"];

/** Options of a logger. */
export interface LoggerOptions {
  /** Name of the process or part, written as `service` on every line. */
  service: string;
  /** Lowest level written; default `info`. */
  level?: LogLevel;
  /** Destination of lines; default standard output. */
  destination?: { write(line: string): void };
}

/** Bytes that are written at a time: some twenty lines; unbuffered, each would cost 2 µs more. */
const writeFromBytes = 4096;

/** Longest time that a line waits for others, in milliseconds. */
const writeEveryMs = 100;

/**
 * A logger that writes one JSON object per line, with the level as a word and the time in ISO 8601.
 * Errors belong under the key `err`, which includes their stack and their chain of causes.
 *
 * On standard output lines are written in bulk, the last ones when the process ends, except by a signal
 * that it does not handle.
 */
export function createLogger({ service, level = "info", destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(options, destination ?? standardOutput());
}

let output: DestinationStream | undefined;

/** The same for all loggers of the process: their lines are in the order of writing. */
function standardOutput(): DestinationStream {
  if (output !== undefined) return output;
  const made = pino.destination({
    dest: 1,
    // Writing through the thread pool takes more time than it saves, and its queue is unbounded.
    sync: true,
    minLength: writeFromBytes,
    periodicFlush: writeEveryMs,
  });
  process.on("exit", () => made.flushSync());
  return (output = made);
}
