import { option, parseEnvironment } from "@storefront/process";
import type { Environment } from "@storefront/process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { Terminal } from "./terminal.ts";
import { usageError } from "./user-error.ts";

export interface ProgramContext {
  terminal: Terminal;
  env: Environment;
  /** Before the command's name in the help; default `npx -y pnpm@12 storefront`. */
  program?: string;
}

export interface CommandContext extends ProgramContext {
  /** Absolute path of the data directory: the option, else `DATA_DIR`, else `.data`. */
  dataDirectory: string;
}

/** One option, with its help. */
interface Option {
  type: "string" | "boolean";
  multiple?: boolean;
  short?: string;
  /** Name of its value; absent without one. */
  value?: string;
  help: string;
}

/** Options by their names without the dashes, in the order of the help. */
type Options = Readonly<Record<string, Option>>;

/** A command of `storefront`. */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** The text after the command's name, such as `FILE… [options]`. */
  usage: string;
  options: Options;
  /** Paragraphs below the options: defaults, variables, exit status; a function when they need loading. */
  notes: readonly string[] | (() => Promise<readonly string[]>);
  /**
   * Runs the command; loads what it needs only then, so that `--help` is instant.
   *
   * @returns the exit status.
   * @throws UserError for problems that the user can fix, TypeError of parseArgs for a wrong option.
   */
  run(parameters: string[], context: ProgramContext): Promise<number>;
}

const commonOptions = {
  json: { type: "boolean", help: "Write one JSON summary to standard output." },
  help: { type: "boolean", short: "h", help: "Show this help." },
} as const satisfies Options;

export const zDataDirectory = z.object({
  dataDirectory: option("DATA_DIR", z.string().default(".data")).describe(
    "Directory of the embedded database and of what a stack leaves for the other commands.",
  ),
});

/** The option of commands that use a data directory. */
export const dataDirectoryOption = {
  "data-dir": {
    type: "string",
    value: "DIR",
    help: "Data directory; default DATA_DIR, else .data.",
  },
} as const satisfies Options;

/** The option of commands that write a file. */
export const outOption = {
  out: {
    type: "string",
    value: "FILE",
    help: "Where to; compressed when it ends in .gz, - is standard output.",
  },
} as const satisfies Options;

/** The option of commands that wait for services; its value is a duration. */
export const retryForOption = {
  "retry-for": {
    type: "string",
    value: "TIME",
    help: "How long to wait for an unavailable service, such as 30s, 10m, 1h; default 5m, 0 for none.",
  },
} as const satisfies Options;

/** Milliseconds of `--retry-for`, undefined without it. @throws UserError when it is malformed. */
export function retryForMsOf(values: { "retry-for"?: string }): number | undefined {
  const { "retry-for": text } = values;
  return text === undefined ? undefined : durationOption("retry-for", text);
}

/** @throws UserError without a file, or when the file and `--json` both need standard output. */
export function outFileOf({ out, json }: { out?: string; json?: boolean }): string {
  if (out === undefined) throw usageError("Name a file by --out FILE.");
  if (out !== "-" || json !== true) return out;
  throw usageError("--json and --out - both want standard output.");
}

/** Parsed options and positionals. */
type Given<Own extends Options> = ReturnType<
  typeof parseArgs<{ options: Own & typeof commonOptions; allowPositionals: true }>
>;

/** Defines a command, which also takes `--json` and `--help`. */
export function defineCommand<const Own extends Options>(
  command: Omit<Command, "options" | "run"> & {
    options: Own;
    /** Whether it takes anything but options. */
    takesPositionals?: boolean;
    run(given: Given<Own>, context: CommandContext): Promise<number>;
  },
): Command {
  const options = { ...command.options, ...commonOptions };
  const { takesPositionals: allowPositionals = false } = command;
  return {
    ...command,
    options,
    run(parameters, context) {
      const given = parseArgs({ args: parameters, options, allowPositionals });
      const values: Readonly<Record<string, unknown>> = given.values;
      const [{ dataDirectory: byDefault }] = parseEnvironment([zDataDirectory], context.env);
      const { "data-dir": directory = byDefault } = values;
      const dataDirectory = resolve(String(directory));
      return command.run(given, { ...context, dataDirectory });
    },
  };
}

/**
 * Parses the whole number of an option.
 *
 * @throws UserError when it is malformed or outside the bounds.
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

const unitsMs = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/**
 * Parses the duration of an option, `0` or a whole number with its unit such as `90s`, to milliseconds.
 *
 * @throws UserError when it is malformed.
 */
export function durationOption(name: string, text: string): number {
  if (text === "0") return 0;
  const [, digits = "", unit = ""] = /^(\d{1,9})([a-z]+)$/.exec(text) ?? [];
  const unitMs = unitsMs.get(unit);
  if (unitMs === undefined)
    throw usageError(`--${name} must be a time such as 30s, 10m or 1h, or 0.`);
  return Number(digits) * unitMs;
}

/**
 * Checks the base URL of an HTTP server; a slash at its end is dropped.
 *
 * @param name as the command line calls it
 * @throws UserError when it is malformed.
 */
export function originOption(name: string, url: string): string {
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isHttp) {
    throw usageError(`${name} must be http:// or https://, such as https://shop.example.`);
  }
  return url.replace(/\/+$/, "");
}
