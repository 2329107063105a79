import { pino } from "pino";
import type { Logger } from "pino";

export type { Logger } from "pino";

/** Levels a process can be set to; `silent` writes nothing. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

/** What a logger is made of. */
export interface LoggerOptions {
  /** Name of the process or part, written as `service` on every line. */
  service: string;
  /** Lowest level written; default `info`. */
  level?: LogLevel;
  /** Where lines go; default standard output. */
  destination?: { write(line: string): void };
}

/**
 * A logger that writes one JSON object per line, with the level as a word and the time in ISO 8601.
 * Errors belong under the key `err`, which keeps their stack and their chain of causes.
 */
export function createLogger({ service, level = "info", destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
