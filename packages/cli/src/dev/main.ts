import { enableCompileCache } from "node:module";
import { runCommandLine } from "../run-command-line.ts";
import { createTerminal } from "../terminal.ts";
import { devCommand } from "./dev-command.ts";

// `pnpm dev`: a program beside `storefront`, so that neither its users nor the bundles get it.
enableCompileCache();

process.exitCode = await runCommandLine(
  ["dev", ...process.argv.slice(2)],
  new Map([["dev", devCommand]]),
  {
    terminal: createTerminal(process.stdout, process.stderr),
    env: { ...process.env, DATA_DIR: process.env["DATA_DIR"] || ".data/dev" },
    program: "npx -y pnpm@12",
  },
);
