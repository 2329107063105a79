import { readFileSync } from "node:fs";

/** A metric as `docs/metrics.md` describes it. */
export interface DocumentedMetric {
  name: string;
  type: string;
  labels: readonly string[];
  unit: string;
  /** Names of the processes that have it. */
  processes: readonly string[];
  meaning: string;
}

const services = ["catalog", "pricing", "reviews", "changelog", "search", "webhooks"];
const processesOfWord: Readonly<Record<string, readonly string[]>> = {
  services,
  all: ["gateway", ...services],
};

/** The rows of the tables of `docs/metrics.md`. @throws Error for a row that is not of their form. */
export function documentedMetrics(): DocumentedMetric[] {
  const text = readFileSync(new URL("../../../docs/metrics.md", import.meta.url), "utf8");
  const rows = text.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) => {
    const [name = "", type = "", labels = "", unit = "", processes = "", meaning = ""] = row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    return {
      name: name.replaceAll("`", ""),
      type,
      labels: listOf(labels.replaceAll("`", "")).toSorted(),
      unit,
      processes: processesOfWord[processes] ?? listOf(processes),
      meaning,
    };
  });
}

function listOf(cell: string): string[] {
  return cell === "" ? [] : cell.split(", ");
}
