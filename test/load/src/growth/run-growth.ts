// `pnpm bench --growth [--directory DIR] [--sizes 5000,50000,500000] [--no-reindex] [--round-seconds 5]
// [--search-engine postgres|typesense]
// [--plot FILE] [--json]`: the costs of catalogues of several sizes. Files and databases stay in the
// directory, so that a later run, also of newer code, continues with them.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { formatGrowth } from "./format-growth.ts";
import { measureGrowth } from "./measure-growth.ts";
import { searchEngineOf } from "../search-backend.ts";
import { plotGrowth } from "./plot-growth.ts";

const { values } = parseArgs({
  options: {
    growth: { type: "boolean" },
    json: { type: "boolean" },
    directory: { type: "string", default: "growth-data" },
    sizes: { type: "string", default: "5000,50000,500000" },
    "no-reindex": { type: "boolean", default: false },
    "search-engine": { type: "string", default: "postgres" },
    "round-seconds": { type: "string", default: "5" },
    /** File of an SVG. */
    plot: { type: "string" },
  },
});
const figures = await measureGrowth({
  sizes: values.sizes.split(",").map(Number),
  directory: resolve(values.directory),
  roundSeconds: Number(values["round-seconds"]),
  reindexes: !values["no-reindex"],
  engine: searchEngineOf(values["search-engine"]),
  report: (progress) => process.stderr.write(`${progress}\n`),
});
if (values.plot !== undefined) await writeFile(values.plot, plotGrowth(figures));
process.stdout.write(
  values.json === true ? `${JSON.stringify({ growth: figures })}\n` : formatGrowth(figures),
);
