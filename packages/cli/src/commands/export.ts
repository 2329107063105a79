import {
  dataDirectoryOption,
  defineCommand,
  outFileOf,
  outOption,
  retryForMsOf,
  retryForOption,
} from "../command.ts";

/** `storefront export --out FILE`. */
export const exportCommand = defineCommand({
  summary: "Write everything that a running stack stores into a file.",
  usage: "--out FILE [options]",
  options: { ...outOption, ...retryForOption, ...dataDirectoryOption },
  notes: [
    "The file is in the import format. It holds records with their deletions and past prices, the\nchangelog's entries and saved queries: imported into an empty stack it gives the same responses.",
    "It waits for a service that is unavailable when its records begin. After its first records the export\nbreaks off, and leaves no file.",
    "The stack is found as by `import`.",
  ],
  async run({ values }, context) {
    const file = outFileOf(values);
    const { runExport } = await import("../export/run-export.ts");
    const summary = await runExport({ file, retryForMs: retryForMsOf(values) }, context);
    if (values.json === true) context.terminal.out(JSON.stringify(summary));
    return 0;
  },
});
