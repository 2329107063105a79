import { parseArgs } from "node:util";
import { commonHelp, commonOptions, integerOption } from "../command.ts";
import type { Command } from "../command.ts";
import { usageError } from "../user-error.ts";

const options = {
  ...commonOptions,
  offers: { type: "string" },
  seed: { type: "string" },
  now: { type: "string" },
  out: { type: "string" },
} as const;

/** `storefront generate --offers N --seed S --out FILE`. */
export const generateCommand: Command = {
  summary: "Write a made-up catalogue into a file of the import format.",
  usage: "--out FILE [options]",
  options: {
    offers: { value: "N", help: "Number of offers, up to 1,000,000; default 2000." },
    seed: { value: "S", help: "Number or word that decides everything; default 1." },
    now: { value: "TIME", help: "ISO 8601 time at which the catalogue is current; default now." },
    out: { value: "FILE", help: "Where to; compressed when it ends in .gz, - is standard output." },
    ...commonHelp,
  },
  notes: ["The same offers, seed and time give the same file."],
  async run(parameters, context) {
    const { values } = parseArgs({ args: parameters, options });
    if (values.out === undefined) throw usageError("Name a file by --out FILE.");
    if (values.out === "-" && values.json === true) {
      throw usageError("--json and --out - both want standard output.");
    }
    const now = new Date(values.now ?? Date.now());
    if (Number.isNaN(now.getTime())) throw usageError("--now must be an ISO 8601 time.");
    const { runGenerate } = await import("../export/run-generate.ts");
    const offers = integerOption("offers", values.offers ?? "2000", { min: 0, max: 1_000_000 });
    const summary = await runGenerate(
      { offers, seed: values.seed ?? "1", now, file: values.out },
      context.terminal,
    );
    if (values.json === true) context.terminal.out(JSON.stringify(summary));
    return 0;
  },
};
