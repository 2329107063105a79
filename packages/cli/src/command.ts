import type { Environment } from "@storefront/config";
import type { ParseArgsOptionsConfig } from "node:util";
import type { Terminal } from "./terminal/terminal.ts";
import { usageError } from "./user-error.ts";

/** What a command works with. */
export interface CommandContext {
  terminal: Terminal;
  env: Environment;
}

/** One option as `--help` shows it, by its name without the dashes. */
export type OptionHelp = Readonly<Record<string, { value?: string; help: string }>>;

/** A command of `storefront`. */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** What follows the command's name, such as `FILE… [options]`. */
  usage: string;
  options: OptionHelp;
  /** Paragraphs below the options: defaults, variables, exit status. */
  notes: readonly string[];
  /**
   * Runs the command; loads what it needs only then, so that `--help` is instant.
   *
   * @returns the exit status.
   * @throws UserError for what the user can put right, TypeError of parseArgs for a wrong option.
   */
  run(parameters: string[], context: CommandContext): Promise<number>;
}

/** Options that every command takes. */
export const commonOptions = {
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
} as const satisfies ParseArgsOptionsConfig;

export const commonHelp = {
  json: { help: "Write one JSON summary to standard output." },
  help: { help: "Show this help." },
} as const satisfies OptionHelp;

/** Options of commands that use a data directory. */
export const dataDirectoryHelp = {
  value: "DIR",
  help: "Data directory; default DATA_DIR, else .data.",
};

/**
 * The whole number that an option was given.
 *
 * @throws UserError when it is none or outside the bounds.
 */
export function integerOption(
  name: string,
  text: string,
  { min, max }: { min: number; max: number },
): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw usageError(`--${name} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}
