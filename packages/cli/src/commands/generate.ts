import type { CatalogueOptions } from "@storefront/sample-data";
import { defineCommand, integerOption, outFileOf, outOption } from "../command.ts";
import type { ExportSummary } from "../export/run-export.ts";
import type { Terminal } from "../terminal.ts";
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
    ...outOption,
  },
  notes: ["The same offers, seed and time give the same file."],
  async run({ values }, { terminal }) {
    const { json, seed = "1" } = values;
    const file = outFileOf(values);
    const now = new Date(values.now ?? Date.now());
    if (Number.isNaN(now.getTime())) throw usageError("--now must be an ISO 8601 time.");
    const offers = integerOption("offers", values.offers ?? "2000", { min: 0, max: 1_000_000 });
    const summary = await generate({ offers, seed, now, file }, terminal);
    if (json === true) terminal.out(JSON.stringify(summary));
    return 0;
  },
});

// Lines per write; single writes would cost more than generating the lines.
const linesPerText = 500;

/**
 * Writes a generated catalogue.
 *
 * @throws UserError when the file cannot be written.
 */
async function generate(
  options: CatalogueOptions & { file: string },
  terminal: Terminal,
): Promise<ExportSummary> {
  const [{ countObservations, generateCatalogue }, { writeLines }] = await Promise.all([
    import("@storefront/sample-data"),
    import("../export/write-lines.ts"),
  ]);
  const kinds: Record<string, number> = {};
  const progress = terminal.progress({ label: "Generating", total: countObservations(options) });
  let count = 0;

  function* texts(): Generator<string> {
    let lines: string[] = [];
    for (const observation of generateCatalogue(options)) {
      kinds[observation.kind] = (kinds[observation.kind] ?? 0) + 1;
      count += 1;
      lines.push(`${JSON.stringify(observation)}\n`);
      if (lines.length < linesPerText) continue;
      progress.update(count);
      yield lines.join("");
      lines = [];
    }
    yield lines.join("");
  }

  await writeLines(options.file, texts());
  progress.end(`${count.toLocaleString("en")} records`);
  return { kinds, file: options.file };
}
