import { countObservations, generateCatalogue } from "@storefront/sample-data";
import type { CatalogueOptions } from "@storefront/sample-data";
import type { Terminal } from "../terminal.ts";
import type { ExportSummary } from "./run-export.ts";
import { writeLines } from "./write-lines.ts";

// Lines written at once; one by one they would cost more than making them.
const linesPerText = 500;

/**
 * Writes a made-up catalogue.
 *
 * @throws UserError when the file cannot be written.
 */
export async function runGenerate(
  options: CatalogueOptions & { file: string },
  terminal: Terminal,
): Promise<ExportSummary> {
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
