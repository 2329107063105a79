import { enableCompileCache } from "node:module";
import { defineCommand, integerOption } from "../command.ts";
import { runCommandLine } from "../run-command-line.ts";
import { createTerminal } from "../terminal.ts";
import { parseInspected } from "./dev-environment.ts";

/** `pnpm dev`. */
const devCommand = defineCommand({
  summary: "Run the stack from its sources and restart what an edit changes.",
  usage: "[options]",
  options: {
    port: { type: "string", value: "N", help: "Port of the gateway; default PORT, else 4000." },
    "data-dir": {
      type: "string",
      value: "DIR",
      help: "Data directory; default DATA_DIR, else .data/dev.",
    },
    inspect: {
      type: "string",
      value: "NAME[:PORT]",
      help: "Open the inspector of the gateway or of one service, on port 9229 by default.",
    },
  },
  notes: [
    "Each service and the gateway is a process of its own. A process restarts when a module changes that\nit has loaded, and a service when one of its migrations changes. A changed .proto is generated first.",
    "Each service has an embedded database of its own in the data directory, unless DATABASE_URL or\n<SERVICE>_DATABASE_URL says otherwise. The first start makes sample data.",
    "Variables: those of `start`. Ctrl-C ends the stack in order, a second one at once.",
  ],
  async run({ values }, context) {
    const port =
      values.port === undefined
        ? undefined
        : integerOption("port", values.port, { min: 0, max: 65_535 });
    const inspected = values.inspect === undefined ? undefined : parseInspected(values.inspect);
    const { runDev } = await import("./run-dev.ts");
    return await runDev({ port, inspected, json: values.json ?? false }, context);
  },
});

// `pnpm dev`: a separate program from `storefront`, so that neither its users nor the bundles get it.
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
