import { parseArgs } from "node:util";
import { commonHelp, commonOptions, dataDirectoryHelp } from "../command.ts";
import type { Command } from "../command.ts";
import { usageError } from "../user-error.ts";

const options = {
  ...commonOptions,
  out: { type: "string" },
  "data-dir": { type: "string" },
} as const;

/** `storefront export --out FILE`. */
export const exportCommand: Command = {
  summary: "Write everything that a running stack stores into a file.",
  usage: "--out FILE [options]",
  options: {
    out: { value: "FILE", help: "Where to; compressed when it ends in .gz, - is standard output." },
    "data-dir": dataDirectoryHelp,
    ...commonHelp,
  },
  notes: [
    "The file is in the import format. It holds records with their deletions and past prices, the\nchangelog's entries and saved queries: imported into an empty stack it gives the same answers.",
    "The stack is found as by `import`.",
  ],
  async run(parameters, context) {
    const { values } = parseArgs({ args: parameters, options });
    if (values.out === undefined) throw usageError("Name a file by --out FILE.");
    if (values.out === "-" && values.json === true) {
      throw usageError("--json and --out - both want standard output.");
    }
    const [{ runExport }, { dataDirectoryOf }] = await Promise.all([
      import("../export/run-export.ts"),
      import("../stack/data-directory.ts"),
    ]);
    const dataDirectory = dataDirectoryOf(values["data-dir"], context.env);
    const summary = await runExport({ file: values.out, dataDirectory }, context);
    if (values.json === true) context.terminal.out(JSON.stringify(summary));
    return 0;
  },
};
