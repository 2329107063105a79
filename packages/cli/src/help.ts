import type { Command } from "./command.ts";

const program = "npx -y pnpm@12 storefront";

/** The page that lists all commands. */
export function programHelp(commands: ReadonlyMap<string, Command>): string {
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
export function commandHelp(name: string, command: Command): string {
  const rows = Object.entries(command.options).map(
    ([option, { value, help }]) =>
      [`--${option}${value === undefined ? "" : ` ${value}`}`, help] as const,
  );
  return [
    `Usage: ${program} ${name} ${command.usage}`,
    "",
    command.summary,
    "",
    "Options:",
    ...table(rows),
    ...command.notes.flatMap((note) => ["", note]),
  ].join("\n");
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}
