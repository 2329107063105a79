import { withSecretsRead } from "@storefront/process";
import type { Command, ProgramContext } from "./command.ts";
import { isForTheUser, messageOf, usageError, UserError } from "./user-error.ts";

/**
 * Runs the command that the first parameter names.
 *
 * @param parameters the command line after the program's name.
 * @returns the exit status: 0 on full success only, 2 for an invalid command line.
 */
export async function runCommandLine(
  parameters: readonly string[],
  commands: ReadonlyMap<string, Command>,
  context: ProgramContext,
): Promise<number> {
  const { terminal, program = "npx -y pnpm@12 storefront" } = context;
  const [name, ...rest] = parameters;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    terminal.out(programHelp(program, commands));
    return name === undefined ? 2 : 0;
  }
  try {
    const command = commands.get(name);
    if (command === undefined) {
      throw usageError(
        `There is no command ${name}; there are ${[...commands.keys()].join(", ")}.`,
      );
    }
    if (asksForHelp(rest)) {
      terminal.out(await commandHelp(`${program} ${name}`, command));
      return 0;
    }
    return await command.run(rest, { ...context, env: withSecretsRead(context.env) });
  } catch (error) {
    return report(error, terminal);
  }
}

/** The page that lists all commands. */
function programHelp(program: string, commands: ReadonlyMap<string, Command>): string {
  const rows = [...commands].map(([name, { summary }]) => [name, summary] as const);
  return [
    `Usage: ${program} COMMAND [options]`,
    "",
    "Commands:",
    ...table(rows),
    "",
    `Options of a command: ${program} COMMAND --help`,
  ].join("\n");
}

/** The page of one command. */
async function commandHelp(called: string, command: Command): Promise<string> {
  const rows = Object.entries(command.options).map(
    ([option, { value, help }]) =>
      [`--${option}${value === undefined ? "" : ` ${value}`}`, help] as const,
  );
  const notes = typeof command.notes === "function" ? await command.notes() : command.notes;
  return [
    `Usage: ${called} ${command.usage}`,
    "",
    command.summary,
    "",
    "Options:",
    ...table(rows),
    ...notes.flatMap((note) => ["", note]),
  ].join("\n");
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

function asksForHelp(parameters: readonly string[]): boolean {
  const end = parameters.indexOf("--");
  const options = end === -1 ? parameters : parameters.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}

function report(error: unknown, terminal: ProgramContext["terminal"]): number {
  if (isWrongOption(error)) {
    terminal.note(`${messageOf(error).split(". ")[0]}. See --help.`);
    return 2;
  }
  if (isForTheUser(error)) {
    terminal.note(error.message);
    return error instanceof UserError ? error.exitCode : 1;
  }
  const stack = error instanceof Error ? error.stack : undefined;
  terminal.note(`A defect of this program: ${stack ?? String(error)}`);
  return 1;
}

function isWrongOption(error: unknown): boolean {
  const code = error instanceof TypeError && "code" in error ? error.code : undefined;
  return typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
}
