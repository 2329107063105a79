import { defineCommand } from "../command.ts";
import { integerOption } from "../option-values.ts";
import { usageError } from "../user-error.ts";

/** `storefront generate --offers N --seed S --out FILE`. */
export const generateCommand = defineCommand({
  summary: "Write a made-up catalogue into a file of the import format.",
  usage: "--out FILE [options]",
  options: {
    offers: {
      type: "string",
      value: "N",
      help: "Number of offers, up to 1,000,000; default 2000.",
    },
    seed: {
      type: "string",
      value: "S",
      help: "Number or word that decides everything; default 1.",
    },
    now: {
      type: "string",
      value: "TIME",
      help: "ISO 8601 time at which the catalogue is current; default now.",
    },
    out: {
      type: "string",
      value: "FILE",
      help: "Where to; compressed when it ends in .gz, - is standard output.",
    },
  },
  notes: ["The same offers, seed and time give the same file."],
  async run({ values }, { terminal }) {
    const { out: file, json, seed = "1" } = values;
    if (file === undefined) throw usageError("Name a file by --out FILE.");
    if (file === "-" && json === true) {
      throw usageError("--json and --out - both want standard output.");
    }
    const now = new Date(values.now ?? Date.now());
    if (Number.isNaN(now.getTime())) throw usageError("--now must be an ISO 8601 time.");
    const offers = integerOption("offers", values.offers ?? "2000", { min: 0, max: 1_000_000 });
    const { runGenerate } = await import("../export/run-generate.ts");
    const summary = await runGenerate({ offers, seed, now, file }, terminal);
    if (json === true) terminal.out(JSON.stringify(summary));
    return 0;
  },
});
