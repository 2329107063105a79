import { enableCompileCache } from "node:module";
import { commands } from "./commands.ts";
import { runCommandLine } from "./run-command-line.ts";
import { createTerminal } from "./terminal.ts";

// Modules that are loaded after this, nearly all, are compiled once and not at every start.
enableCompileCache();

// The reader has closed, as in `storefront export --out - | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

process.exitCode = await runCommandLine(process.argv.slice(2), commands, {
  terminal: createTerminal(process.stdout, process.stderr),
  env: process.env,
});
