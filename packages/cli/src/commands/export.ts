import { dataDirectoryOption, defineCommand } from "../command.ts";
import { usageError } from "../user-error.ts";

/** `storefront export --out FILE`. */
export const exportCommand = defineCommand({
  summary: "Write everything that a running stack stores into a file.",
  usage: "--out FILE [options]",
  options: {
    out: {
      type: "string",
      value: "FILE",
      help: "Where to; compressed when it ends in .gz, - is standard output.",
    },
    ...dataDirectoryOption,
  },
  notes: [
    "The file is in the import format. It holds records with their deletions and past prices, the\nchangelog's entries and saved queries: imported into an empty stack it gives the same responses.",
    "The stack is found as by `import`.",
  ],
  async run({ values: { out, json } }, context) {
    if (out === undefined) throw usageError("Name a file by --out FILE.");
    if (out === "-" && json === true) {
      throw usageError("--json and --out - both want standard output.");
    }
    const { runExport } = await import("../export/run-export.ts");
    const summary = await runExport(out, context);
    if (json === true) context.terminal.out(JSON.stringify(summary));
    return 0;
  },
});
